//! What expansions call, and the names they use. Not part of the public interface.
#![allow(missing_docs, reason = "hidden from users")]

mod binding;
mod calls;
mod descriptors;
mod inputs;
mod outputs;

pub use calls::*;
pub use descriptors::*;
pub use inputs::*;
pub use outputs::*;

pub use crate::__collect;
pub use crate::attr::{AttrParam, FuncAttr};
pub use crate::collect::*;
pub use crate::descriptor::*;
pub use crate::device::{DeviceContext, DeviceProgram, ProgramArg, ProgramFeature, ProgramParam, ScalarValue};
pub use crate::gpu::{
    GpuArgument, GpuForm, GpuKernel, Launch, LaunchFn, ProgramEntry, ProgramFunction, blocks, elementwise, run_program,
};
pub use crate::gradient::*;
pub use crate::params::*;
pub use crate::runtime::*;
pub use crate::{
    DType, Element, Kernel, KernelConstruction, KernelContext, PartialShape, Result, ShapeFn, Tensor, element,
};
#[cfg(feature = "inventory")]
pub use inventory;
pub use linkme;
