//! `Conv3DBackpropInputV2`: the gradient of a convolution over volumes with respect to the input.
//!
//! `input_sizes` holds the input's shape [batch, planes, rows, columns, depth], `filter` is the convolution's [planes, rows,
//! columns, depth, out_depth], `out_backprop` the gradient of its output. The 16-bit floats are summed in f32. Zeros where the
//! filter is empty.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::backprop_input;
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// The gradient of a convolution over volumes with respect to the input.
#[op("Conv3DBackpropInputV2",
     input = "input_sizes: Tshape",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::conv3d_backprop_input)]
pub struct Conv3DBackpropInputV2;

/// `Conv3DBackpropInputV2` over `NDHWC` volumes.
pub struct Conv3DBackpropInputV2Cpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv3DBackpropInputV2, device = CPU, T = [floats], Tshape = [i32, i64])]
impl<T: Lanes<Lane: TileLane>> Kernel for Conv3DBackpropInputV2Cpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_input::compute::<T>(context, &self.window)
    }
}
