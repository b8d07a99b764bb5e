//! Kernels for GPUs on a host's CUDA stream and in its memory.
//!
//! A call begins with the host's stream ([`Call`]). Inputs are tensors over the host's memory on the GPU
//! ([`ForeignStream::tensor`]), outputs are allocated by the host as on the CPU
//! ([`OutputMemory`](crate::OutputMemory)), in the GPU's memory. Arguments that the kernel's `host_memory` names are
//! copied over the stream: inputs are waited for. The kernel's work is enqueued, and the call returns.

mod prepare;
mod run;

pub use oplink_cuda::foreign::{Call, ForeignStream};
pub(crate) use prepare::GpuKernels;
pub use prepare::PreparedGpuKernel;
