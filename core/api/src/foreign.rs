//! Shape functions and kernels that are known only at run time, with state of their own: those of a plugin.

use std::fmt;

use crate::shape_inference::ShapeFn;
use crate::{AsyncKernelContext, KernelConstruction, RawKernel, Result, ShapeContext};

/// A shape function with state of its own.
pub trait ForeignShapeFn: Send + Sync {
    /// Reads the context's inputs, sets every output shape or returns an error.
    ///
    /// # Errors
    /// The shapes do not fit the op, or an attr is missing.
    fn infer(&self, context: &mut ShapeContext<'_>) -> Result<()>;
}

/// How the output shapes of a node are inferred.
#[derive(Clone, Copy)]
pub enum ShapeInference {
    /// By the function of an annotated op.
    Function(ShapeFn),
    /// By that of an op declared at run time, which lives as long as the process.
    Foreign(&'static dyn ForeignShapeFn),
}

impl ShapeInference {
    /// Calls the shape function.
    ///
    /// # Errors
    /// The shapes do not fit the op, or an attr is missing.
    #[inline]
    pub fn infer(self, context: &mut ShapeContext<'_>) -> Result<()> {
        match self {
            Self::Function(function) => function(context),
            Self::Foreign(function) => function.infer(context),
        }
    }
}

impl From<ShapeFn> for ShapeInference {
    fn from(function: ShapeFn) -> Self {
        Self::Function(function)
    }
}

impl fmt::Debug for ShapeInference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Function(_) => "Function",
            Self::Foreign(_) => "Foreign",
        })
    }
}

/// Makes the kernel objects of a kernel declared at run time.
pub trait KernelFactory: Send + Sync {
    /// The kernel of one node.
    ///
    /// # Errors
    /// The kernel's constructor refuses the node.
    fn create(&self, construction: &KernelConstruction<'_>) -> Result<ForeignKernel>;

    /// Whose kernel it is, for messages: the name it was registered under, and the plugin's file.
    fn describe(&self) -> String;
}

/// A kernel object of a kernel declared at run time.
pub enum ForeignKernel {
    /// Computes when it is called.
    Now(Box<dyn RawKernel>),
    /// Completes later.
    Later(Box<dyn AsyncKernel>),
}

/// An asynchronous kernel with state of its own.
pub trait AsyncKernel: Send + Sync {
    /// Starts a run; `context` is finished when the outputs are there.
    fn start(&self, context: AsyncKernelContext);
}
