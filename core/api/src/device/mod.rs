//! Devices with memory of their own, as kernels and tensors see them: blocks of that memory, the queue of work and
//! copies, and programs for GPUs. The host's memory has no device here.

mod arguments;
mod block;
mod context;
mod convolution;
mod host_memory;
mod matmul;
mod program;
mod program_cache;
mod recorded;

pub use block::{DeviceBlock, DeviceMemory};
pub use context::{DeviceContext, copy_to_host_blocking};
pub use convolution::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec};
pub use host_memory::HostMemory;
pub use matmul::{MatMulSpec, MatrixLayout};
pub use program::{DeviceProgram, ProgramArg, ProgramFeature, ProgramParam, ScalarValue};
pub use program_cache::ProgramCache;
pub use recorded::RecordedWork;
