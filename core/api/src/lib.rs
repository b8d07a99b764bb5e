//! What declarations of ops and kernels are written against, and what they expand to.
//!
//! Authors use it through the `oplink` crate: [`prelude`] holds what an op file needs. The crate knows nothing of
//! graphs, devices or registries; a plugin and a runtime share it.
#![deny(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

extern crate self as oplink;

mod arguments;
mod async_kernel;
mod attr;
mod cancellation;
mod collect;
mod descriptor;
mod device;
pub mod element;
pub mod elementwise;
mod error;
mod foreign;
mod function;
pub mod gpu;
mod gradient;
mod io_error;
mod kernel;
pub mod log;
mod node;
pub mod parallel;
mod params;
mod resource;
mod runtime;
mod shape;
mod shape_context;
pub mod shape_fns;
mod signature;
mod step;
mod support;
mod tensor;
mod tracer;
mod tstring;

pub use num_traits;
pub use oplink_spec as spec;
pub use oplink_spec::{AttrKind, DType, OpSpec};

pub use arguments::{
    AttrEnum, Construction, Env, Forwarded, Input, InputList, InputSlots, Kernel, OutputList, OutputSlot, OutputSlots,
    TypedOp,
};
pub use async_kernel::{AsyncKernelContext, Done};
#[doc(hidden)]
pub use attr::same_name;
pub use attr::{AttrMap, AttrParam, AttrValue, FromAttr, FuncAttr};
pub use cancellation::{Cancellation, CancellationCallback};
pub use collect::{
    collected_anchors, collected_excluded_kernels, collected_excluded_ops, collected_gradients, collected_hosts,
    collected_kernels, collected_ops, collected_programs,
};
pub use descriptor::{
    Anchor, ExcludedKernel, ExcludedOp, HasKernelDescriptor, KernelDescriptor, KernelEntry, KernelFunction, Library,
    Location, Op, OpDescriptor, OpFact, OpFlags, Reduction,
};
pub use device::{
    ConvolutionAxis, ConvolutionResult, ConvolutionSpec, DeviceBlock, DeviceContext, DeviceMemory, DeviceProgram,
    HostMemory, MatMulSpec, MatrixLayout, ProgramArg, ProgramFeature, ProgramParam, ScalarValue, copy_to_host_blocking,
};
pub use element::{Element, Float, Integer, Number, Real};
pub use error::{Code, Error, ErrorKind, Result, ResultExt, panic_message};
pub use foreign::{AsyncKernel, ForeignKernel, ForeignShapeFn, KernelFactory, ShapeInference};
pub use function::{Function, FunctionLibrary, FunctionSlot};
pub use gradient::{GradientDescriptor, GradientFn, HasGradientDescriptor, OpForGradient};
pub use kernel::{
    DefaultEnv, Formula, FormulaLookup, HostFallback, KernelConstruction, KernelContext, KernelEnv, RawKernel,
};
pub use node::{NodeInfo, OpId};
pub use params::{
    AnyElement, AnyOf, DifferentTypes, EveryType, InOut, InOutParam, InputListParam, InputParam, Inputs,
    OutputListParam, OutputListValue, OutputParam, OutputValue, SameElement,
};
pub use resource::{
    Resource, ResourceHandle, ResourceInfo, ResourceKey, ResourceManager, Variable, VariableGuard, Variant,
    VariantObject,
};
pub use runtime::{
    Arg, Call, EagerHost, HostFactory, IntoTensor, Operand, Output, Outputs, Scope, call_op, default_host,
};
pub use shape::{Dim, MAX_RANK, PartialShape, Shape};
pub use shape_context::{
    ConstantInputs, HandleShape, NoConstants, ShapeContext, ShapeFn, broadcast_shapes, int_values, merge_shapes,
    normalize_axis, shape_error,
};
pub use signature::{MAX_TENSORS, signature};
pub use step::{MAX_CALL_DEPTH, Step};
pub use tensor::{ALIGNMENT, Allocator, RecycledBuffer, Tensor};
pub use tracer::{NodeRun, Tracer};
pub use tstring::TString;

pub use oplink_macros::{device_fn, device_struct, gradient, kernel, library, op, program};

/// What expansions refer to.
#[doc(hidden)]
pub mod __private {
    pub use crate::support::*;
    pub use ::core;
    pub use ::std;
    pub use oplink_macros::{__device_item, __kernel, __program, __uses};
}

/// What an op file needs.
pub mod prelude {
    pub use crate::element::{bf16, f16};
    pub use crate::{
        AttrEnum, AttrValue, Code, Construction, DType, Element, Env, Error, ErrorKind, Float, FuncAttr, HostFallback,
        InOut, Input, InputList, Inputs, Integer, Kernel, KernelConstruction, KernelContext, Number, Op, OpForGradient,
        Output, OutputList, OutputSlot, PartialShape, RawKernel, Real, Resource, ResourceHandle, Result, Scope, Shape,
        ShapeContext, TString, Tensor, attr_enum, bail, device_fn, device_struct, ensure, gradient, kernel, library,
        link, op, program, shape_fns,
    };
    pub use ndarray::{
        Array, Array0, Array1, Array2, Array3, Array4, ArrayD, ArrayView0, ArrayView1, ArrayView2, ArrayView3,
        ArrayView4, ArrayView5, ArrayViewD, ArrayViewMut0, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, ArrayViewMut4,
        ArrayViewMut5, ArrayViewMutD,
    };
    pub use num_complex::Complex;
}
