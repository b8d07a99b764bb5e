//! `AvgPoolGrad`: the gradient of `AvgPool`.
//!
//! `orig_input_shape` holds the shape of the pooling's input, `grad` has the shape of its output. The gradient of each
//! window is shared out evenly among the values that the window covers. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::average::spread;
use super::pool::PoolWindow;
use crate::support::elementwise::{FloatLane, Lanes};

/// The gradient of `AvgPool`.
#[op("AvgPoolGrad",
     input = "orig_input_shape: int32",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::avg_pool_grad)]
pub struct AvgPoolGrad;

/// `AvgPoolGrad` with the channels last.
pub struct AvgPoolGradCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(AvgPoolGrad, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane>> Kernel for AvgPoolGradCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        spread::<T>(context, &self.window)
    }
}
