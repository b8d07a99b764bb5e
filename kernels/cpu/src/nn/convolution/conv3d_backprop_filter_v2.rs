//! `Conv3DBackpropFilterV2`: the gradient of a convolution over volumes with respect to the filter.
//!
//! `input` is the convolution's [batch, planes, rows, columns, depth], `filter_sizes` holds the filter's shape [planes, rows,
//! columns, depth, out_depth], `out_backprop` is the gradient of the convolution's output. The 16-bit floats are summed in
//! f32. Zeros where the input is empty.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::backprop_filter;
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// The gradient of a convolution over volumes with respect to the filter.
#[op("Conv3DBackpropFilterV2",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     shape = shape_fns::conv3d_backprop_filter)]
pub struct Conv3DBackpropFilterV2;

/// `Conv3DBackpropFilterV2` over `NDHWC` volumes.
pub struct Conv3DBackpropFilterV2Cpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv3DBackpropFilterV2, device = CPU, T = [floats])]
impl<T: Lanes<Lane: TileLane>> Kernel for Conv3DBackpropFilterV2Cpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_filter::compute::<T>(context, &self.window)
    }
}
