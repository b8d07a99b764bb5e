//! `AvgPool3D`: the mean of each window of a volume.
//!
//! `input` is [batch, planes, rows, columns, channels]. Padding does not count: the mean is over the values that the window
//! covers. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::average::average;
use super::pool::PoolWindow;
use crate::support::elementwise::{FloatLane, Lanes};

/// The mean of each window of a volume.
#[op("AvgPool3D",
     input = "input: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::pool3d)]
pub struct AvgPool3D;

/// `AvgPool3D` with the channels last.
pub struct AvgPool3DCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(AvgPool3D, device = CPU, T = [bf16, f32])]
impl<T: Lanes<Lane: FloatLane>> Kernel for AvgPool3DCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        ensure!(context.input(0).rank() == 5, "input must be of rank 5, its shape is {}", context.input(0).shape());
        average::<T>(context, &self.window)
    }
}
