//! What declarations of ops and kernels are written against, and what they expand to.
//!
//! Authors use it through the `oplink` crate: [`prelude`] holds what an op file needs. The crate knows nothing of
//! graphs, devices or registries; a plugin and a runtime share it.
#![deny(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

extern crate self as oplink;

pub mod arguments;
mod async_kernel;
pub mod attr;
mod attr_conversions;
pub mod call;
mod cancellation;
mod collect;
mod descriptor;
pub mod device;
pub mod element;
pub mod elementwise;
pub mod error;
pub mod foreign;
pub mod function;
pub mod gpu;
mod gradient;
pub mod interrupt;
mod io_error;
mod kernel;
pub mod log;
pub mod memory;
mod node;
pub mod parallel;
pub mod params;
mod positioned_file;
pub mod resolve;
pub mod resource;
pub mod shape;
pub mod shape_fns;
pub mod shape_inference;
pub mod signature;
pub mod step;
mod support;
pub mod tensor;
pub mod tracer;
mod tstring;

pub use num_traits;
pub use oplink_spec as spec;
pub use oplink_spec::{AttrKind, DType, OpSpec};

pub use arguments::{AttrEnum, Construction, Env, Input, InputList, Kernel, OutputList, OutputSlot};
pub use async_kernel::{AsyncKernelContext, Done};
pub use attr::{AttrMap, AttrValue, FuncAttr};
pub use call::{Output, Scope};
pub use cancellation::{Cancellation, CancellationCallback};
pub use descriptor::Op;
pub use element::{Element, Float, Integer, Number, Real};
pub use error::{Code, Error, ErrorKind, Result, ResultExt};
pub use gradient::OpForGradient;
pub use kernel::{DefaultEnv, HostFallback, KernelConstruction, KernelContext, KernelEnv, KernelOptions, RawKernel};
pub use node::{NodeInfo, OpId};
pub use params::{InOut, Inputs};
pub use positioned_file::PositionedFile;
pub use resource::{Resource, ResourceHandle};
pub use shape::{PartialShape, Shape};
pub use shape_inference::ShapeContext;
pub use step::{DetachedStep, Step};
pub use tensor::Tensor;
pub use tstring::TString;

/// What the annotations expand to, as a registry reads it, and the descriptors of everything that is linked.
pub mod descriptors {
    pub use crate::collect::{
        collected_anchors, collected_excluded_kernels, collected_excluded_ops, collected_gradients, collected_hosts,
        collected_kernels, collected_ops, collected_programs,
    };
    pub use crate::descriptor::{
        Anchor, ExcludedKernel, ExcludedOp, HasKernelDescriptor, KernelDescriptor, KernelEntry, KernelFunction,
        Library, Location, OpDescriptor, OpFact, OpFlags, Reduction,
    };
    pub use crate::foreign::GradientFunction;
    pub use crate::gradient::{GradientDescriptor, GradientFn, HasGradientDescriptor};
}

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
