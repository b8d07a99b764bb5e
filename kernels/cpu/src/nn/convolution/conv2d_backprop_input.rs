//! `Conv2DBackpropInput`: the gradient of a convolution over images with respect to the input.
//!
//! `input_sizes` holds the input's shape [batch, rows, columns, depth], or its rows and columns alone; `filter` is the
//! convolution's [rows, columns, depth / groups, out_depth], `out_backprop` the gradient of its output. The attrs are the
//! convolution's. The 16-bit floats are summed in f32, integers wrap. Zeros where the filter is empty.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::backprop_input;
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// The gradient of a convolution over images with respect to the input.
#[op("Conv2DBackpropInput",
     input = "input_sizes: int32",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::conv2d_backprop_input)]
pub struct Conv2DBackpropInput;

/// `Conv2DBackpropInput` with the channels last.
pub struct Conv2DBackpropInputCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv2DBackpropInput, device = CPU, T = [floats, i32])]
impl<T: Lanes<Lane: TileLane>> Kernel for Conv2DBackpropInputCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_input::compute::<T>(context, &self.window)
    }
}
