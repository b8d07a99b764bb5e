//! `Conv2DBackpropFilter`: the gradient of a convolution over images with respect to the filter.
//!
//! `input` is the convolution's [batch, rows, columns, depth], `filter_sizes` holds the filter's shape [rows, columns,
//! depth / groups, out_depth], `out_backprop` is the gradient of the convolution's output. The attrs are the
//! convolution's. The 16-bit floats are summed in f32. Zeros where the input is empty.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::backprop_filter;
use crate::numeric::tile::TileLane;
use crate::support::elementwise::Lanes;
use crate::support::window::Window;

/// The gradient of a convolution over images with respect to the filter.
#[op("Conv2DBackpropFilter",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::conv2d_backprop_filter)]
pub struct Conv2DBackpropFilter;

/// `Conv2DBackpropFilter` with the channels last.
pub struct Conv2DBackpropFilterCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv2DBackpropFilter, device = CPU, T = [floats])]
impl<T: Lanes<Lane: TileLane>> Kernel for Conv2DBackpropFilterCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        backprop_filter::compute::<T>(context, &self.window)
    }
}
