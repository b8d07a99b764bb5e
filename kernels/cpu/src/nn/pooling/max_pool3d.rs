//! `MaxPool3D`: the largest value in each window of a volume.
//!
//! `input` is [batch, planes, rows, columns, channels]. Padding counts as no value. A window's NaN is passed over unless it is
//! the last value.

use std::marker::PhantomData;

use num_traits::Bounded;
use oplink::prelude::*;

use super::pool::PoolWindow;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;

/// The largest value in each window of a volume.
#[op("MaxPool3D",
     input = "input: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float}",
     shape = shape_fns::pool3d)]
pub struct MaxPool3D;

/// `MaxPool3D` with the channels last.
pub struct MaxPool3DCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(MaxPool3D, device = CPU, T = [bf16, f32])]
impl<T: Lanes<Lane: PartialOrd> + Bounded> Kernel for MaxPool3DCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let input = context.input(0);
        ensure!(input.rank() == 5, "input must be of rank 5, its shape is {}", input.shape());
        let geometry = self.window.geometry(input.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape())?;
        let image = lanes_of(input.as_slice::<T>()?);
        let larger = |a, b| if a > b { a } else { b };
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            geometry.fold(context.env(), (&image, out), T::min_value().to_lane(), larger, |value, _| value);
        });
        context.set_output(0, output);
        Ok(())
    }
}
