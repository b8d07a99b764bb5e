//! `AvgPool3DGrad`: the gradient of `AvgPool3D`.
//!
//! `orig_input_shape` holds the shape of the pooling's input, `grad` has the shape of its output. The gradient of each
//! window is shared out evenly among the values that the window covers. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::average::spread;
use super::pool::PoolWindow;
use crate::support::elementwise::{FloatLane, Lanes};

/// The gradient of `AvgPool3D`.
#[op("AvgPool3DGrad",
     input = "orig_input_shape: int32",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::avg_pool3d_grad)]
pub struct AvgPool3DGrad;

/// `AvgPool3DGrad` with the channels last.
pub struct AvgPool3DGradCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(AvgPool3DGrad, device = CPU, T = [bf16, f32])]
impl<T: Lanes<Lane: FloatLane>> Kernel for AvgPool3DGradCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        spread::<T>(context, &self.window)
    }
}
