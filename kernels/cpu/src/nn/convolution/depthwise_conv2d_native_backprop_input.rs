//! `DepthwiseConv2dNativeBackpropInput`: the gradient of a depthwise convolution with respect to the input.
//!
//! `input_sizes` holds the input's shape [batch, rows, columns, depth], `filter` is the convolution's [rows, columns,
//! depth, multiplier], `out_backprop` the gradient of its output. The attrs are the convolution's. The 16-bit floats are
//! summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::depthwise_backprop::backprop_input;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::window::Window;

/// The gradient of a depthwise convolution with respect to the input.
#[op("DepthwiseConv2dNativeBackpropInput",
     input = "input_sizes: int32",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::avg_pool_grad)]
pub struct DepthwiseConv2dNativeBackpropInput;

/// `DepthwiseConv2dNativeBackpropInput` with the channels last.
pub struct DepthwiseConv2dNativeBackpropInputCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(DepthwiseConv2dNativeBackpropInput, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane>> Kernel for DepthwiseConv2dNativeBackpropInputCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_input::<T>(context, &self.window)
    }
}
