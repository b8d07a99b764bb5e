//! `MaxPool3DGradGrad`: the gradient of `MaxPool3DGrad` with respect to its gradient.
//!
//! `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_input`, the output that of `orig_output`.
//! Each window takes the gradient at the first of its values that equals the pooling's output, 0 where none does.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::max_backprop::from_first_equal;
use super::pool::PoolWindow;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `MaxPool3DGrad` with respect to its gradient.
#[op("MaxPool3DGradGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: realnumbertype",
     shape = shape_fns::max_pool3d_grad_grad)]
pub struct MaxPool3DGradGrad;

/// `MaxPool3DGradGrad` with the channels last.
pub struct MaxPool3DGradGradCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(MaxPool3DGradGrad, device = CPU, T = [bf16, f32])]
impl<T: Lanes<Lane: Arithmetic + PartialOrd>> Kernel for MaxPool3DGradGradCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        from_first_equal::<T>(context, &self.window)
    }
}
