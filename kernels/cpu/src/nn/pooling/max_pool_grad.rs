//! `MaxPoolGrad`: the gradient of `MaxPool`.
//!
//! `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_output`. The gradient of each window goes
//! to the first of its largest values; NaN is the largest where it comes first, and is passed over otherwise. Gradients of
//! 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::max_backprop::to_first_largest;
use super::pool::PoolWindow;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `MaxPool`.
#[op("MaxPoolGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype = DT_FLOAT",
     shape = shape_fns::max_pool_grad)]
pub struct MaxPoolGrad;

/// `MaxPoolGrad` with the channels last.
pub struct MaxPoolGradCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(MaxPoolGrad, device = CPU, T = [reals])]
impl<T: Lanes<Lane: Arithmetic + PartialOrd>> Kernel for MaxPoolGradCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        to_first_largest::<T>(context, &self.window)
    }
}
