//! `Conv3D`: a convolution over volumes.
//!
//! `input` is [batch, planes, rows, columns, depth], `filter` is [planes, rows, columns, depth, out_depth]; as `Conv2D`, with
//! windows along planes too. The 16-bit floats are summed in f32. An empty filter is an error.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::forward::convolve;
use super::geometry::Geometry;
use crate::numeric::finish::Finish;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// A convolution over volumes.
#[op("Conv3D",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     shape = shape_fns::conv3d)]
pub struct Conv3D;

/// `Conv3D` over `NDHWC` volumes.
pub struct Conv3DCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv3D, device = CPU, T = [floats])]
impl<T: Lanes<Lane: TileLane>> Kernel for Conv3DCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        ensure!(input.rank() == 5, "input must be of rank 5, its shape is {}", input.shape());
        ensure!(filter.num_elements() > 0, "the filter must not be empty, its shape is {}", filter.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        ensure!(geometry.groups == 1, "the depth of the filter must be that of the input, {}", geometry.depth);
        let mut output = context.allocate_output(0, geometry.output_shape(5))?;
        let (image, weights) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            convolve(context.env(), &geometry, (&image, &weights), Finish::default(), out)
        })?;
        context.set_output(0, output);
        Ok(())
    }
}
