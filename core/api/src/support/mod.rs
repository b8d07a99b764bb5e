//! What expansions call, and the names they use. Not part of the public interface.
#![allow(missing_docs, reason = "hidden from users")]

mod binding;
mod calls;
mod descriptors;
mod inputs;
mod outputs;

pub(crate) use binding::bound;
pub use calls::*;
pub use descriptors::*;
pub use inputs::*;
pub use outputs::*;

pub use crate::__collect;
pub use crate::arguments::TypedOp;
pub use crate::arguments::{AllowedStrings, InputSlots, OutputSlots, same_arguments, same_values};
pub use crate::attr::{AttrParam, FuncAttr};
pub use crate::call::*;
pub use crate::collect::*;
pub use crate::descriptor::*;
pub use crate::device::{DeviceContext, DeviceProgram, ProgramArg, ProgramFeature, ProgramParam, ScalarValue};
pub use crate::elementwise::*;
pub use crate::foreign::GradientFunction;
pub use crate::gpu::{
    DeviceValue, ElementwiseProgram, FormulaParam, FormulaText, GpuArgument, GpuForm, GpuFormula, GpuKernel, Launch,
    LaunchFn, ProgramArguments, ProgramEntry, ProgramFunction, blocks, run_program,
};
pub use crate::gradient::*;
pub use crate::params::*;
pub use crate::shape_inference::ShapeFn;
pub use crate::{
    AttrEnum, DType, Element, Env, Input, InputList, Kernel, KernelConstruction, KernelContext, NodeInfo, OutputList,
    OutputSlot, PartialShape, RawKernel, Result, Tensor, attr_enum, element,
};
#[cfg(feature = "inventory")]
pub use inventory;
pub use linkme;
