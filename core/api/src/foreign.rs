//! Shape functions, kernels and gradients that are known only at run time, with state of their own: those of a plugin.

use std::fmt;

use crate::gradient::GradientFn;
use crate::shape_inference::ShapeFn;
use crate::{AsyncKernelContext, KernelConstruction, OpForGradient, Output, RawKernel, Result, Scope, ShapeContext};

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

/// A gradient with state of its own.
pub trait ForeignGradient: Send + Sync {
    /// Adds the nodes of the gradient to the scope; see [`GradientFn`].
    ///
    /// # Errors
    /// The gradient cannot be made of this node, or the scope refuses a node.
    fn add(&self, scope: &mut dyn Scope, op: &OpForGradient, dys: &[Output]) -> Result<Vec<Option<Output>>>;
}

/// How the gradient of an op is made.
#[derive(Clone, Copy)]
pub enum GradientFunction {
    /// By an annotated function.
    Function(GradientFn),
    /// By that of a plugin, which lives as long as the process.
    Foreign(&'static dyn ForeignGradient),
}

impl GradientFunction {
    /// Adds the nodes of the gradient to the scope; see [`GradientFn`].
    ///
    /// # Errors
    /// The gradient cannot be made of this node, or the scope refuses a node.
    pub fn add(self, scope: &mut dyn Scope, op: &OpForGradient, dys: &[Output]) -> Result<Vec<Option<Output>>> {
        match self {
            Self::Function(function) => function(scope, op, dys),
            Self::Foreign(gradient) => gradient.add(scope, op, dys),
        }
    }
}

impl fmt::Debug for GradientFunction {
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
