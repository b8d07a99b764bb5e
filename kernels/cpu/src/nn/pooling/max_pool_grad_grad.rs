//! `MaxPoolGradGrad`: the gradient of `MaxPoolGrad` with respect to its gradient.
//!
//! `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_input`, the output that of `orig_output`.
//! Each window takes the gradient at the first of its values that equals the pooling's output, 0 where none does.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::max_backprop::from_first_equal;
use super::pool::PoolWindow;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `MaxPoolGrad` with respect to its gradient.
#[op("MaxPoolGradGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype",
     shape = shape_fns::max_pool_grad_grad)]
pub struct MaxPoolGradGrad;

/// `MaxPoolGradGrad` with the channels last.
pub struct MaxPoolGradGradCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(MaxPoolGradGrad, device = CPU, T = [reals])]
impl<T: Lanes<Lane: Arithmetic + PartialOrd>> Kernel for MaxPoolGradGradCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        from_first_equal::<T>(context, &self.window)
    }
}
