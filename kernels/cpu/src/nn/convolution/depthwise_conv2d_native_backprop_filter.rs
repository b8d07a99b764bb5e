//! `DepthwiseConv2dNativeBackpropFilter`: the gradient of a depthwise convolution with respect to the filter.
//!
//! `input` is the convolution's [batch, rows, columns, depth], `filter_sizes` holds the filter's shape [rows, columns,
//! depth, multiplier], `out_backprop` is the gradient of the convolution's output. The attrs are the convolution's. The
//! 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::depthwise_backprop::backprop_filter;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::window::Window;

/// The gradient of a depthwise convolution with respect to the filter.
#[op("DepthwiseConv2dNativeBackpropFilter",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::conv2d_backprop_filter)]
pub struct DepthwiseConv2dNativeBackpropFilter;

/// `DepthwiseConv2dNativeBackpropFilter` with the channels last.
pub struct DepthwiseConv2dNativeBackpropFilterCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(DepthwiseConv2dNativeBackpropFilter, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane>> Kernel for DepthwiseConv2dNativeBackpropFilterCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_filter::<T>(context, &self.window)
    }
}
