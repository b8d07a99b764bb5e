//! `DepthwiseConv2dNative`: each channel of an image convolved with filters of its own. Sums are in f32.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::{ProgramArg, ScalarValue};
use oplink_kernels_cpu::ops::DepthwiseConv2dNative;
use oplink_kernels_cpu::support::window::{Axis, ChannelOrder, Depthwise, Window};

use super::super::extents::extent;
use super::layout::Strides;

/// `DepthwiseConv2dNative` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(DepthwiseConv2dNative, device = GPU, T = [f16, bf16, f32])]
pub fn depthwise_conv2d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, filter) = (context.input(0), context.input(1));
    let convolution = Convolution::new(context, input.shape(), filter.shape())?;
    let output = context.allocate_output(0, convolution.output_shape())?;
    if output.num_elements() > 0 {
        let (program, count) = (depthwise::program(input.dtype())?, output.num_elements());
        let args = convolution.arguments([input, filter, &output], count, &[])?;
        context.device()?.launch(program, depthwise::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// A depthwise convolution: its extents, and the order of its images' axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Convolution {
    pub(super) geometry: Depthwise,
    order: ChannelOrder,
}

impl Convolution {
    /// For an input and a filter of these shapes.
    ///
    /// # Errors
    /// Extents that do not fit together, or too many elements for a GPU.
    pub(super) fn new(context: &KernelContext<'_>, input: &[usize], filter: &[usize]) -> Result<Self> {
        let order = ChannelOrder::of(context.node())?;
        let window = Window::in_order(context.node(), order)?;
        let this = Self { geometry: Depthwise::new(&window, &order.to_last(input), filter)?, order };
        for elements in [input.iter().product(), filter.iter().product(), this.output_shape().num_elements()] {
            extent(elements)?;
        }
        Ok(this)
    }

    /// The shape of the output, its axes in the images' order.
    pub(super) fn output_shape(&self) -> Shape {
        Shape::new(&self.order.from_last(&self.geometry.output_shape()))
    }

    /// Fails unless a gradient has the output's shape.
    pub(super) fn check_gradient(&self, gradient: &Tensor) -> Result<()> {
        let expected = self.output_shape();
        ensure!(
            *gradient.shape() == expected,
            "out_backprop must have the shape of the convolution's output, {expected}, its shape is {}",
            gradient.shape()
        );
        Ok(())
    }

    /// The arguments of the programs for depthwise convolutions and their gradients: buffers, the number of elements to
    /// compute, the extents, and `more`.
    pub(super) fn arguments<'a>(
        &self,
        buffers: [&'a Tensor; 3],
        count: usize,
        more: &[u32],
    ) -> Result<Vec<ProgramArg<'a>>> {
        let Depthwise { rows, columns, depth, multiplier, .. } = &self.geometry;
        let image = Strides::new(self.order, rows.input * columns.input, *depth)?;
        let output = Strides::new(self.order, rows.output * columns.output, depth * multiplier)?;
        let along = |axis: &Axis| [axis.input, axis.output, axis.window, axis.stride, axis.dilation, axis.before];
        let extents = [count, *depth, *multiplier].into_iter().chain(along(rows)).chain(along(columns));
        let extents: Vec<u32> = extents.map(extent).collect::<Result<_>>()?;
        let strides = [image.batch, image.pixel, image.channel, output.batch, output.pixel, output.channel];
        let scalars = extents.into_iter().chain(strides).chain(more.iter().copied());
        let scalars = scalars.map(|value| ProgramArg::Scalar(ScalarValue::U32(value)));
        Ok(buffers.into_iter().map(ProgramArg::Buffer).chain(scalars).collect())
    }
}

/// A thread for each element of the output.
#[program(block = 256, T = [f16, bf16, f32])]
fn depthwise<T: Float>(
    image: &[T],
    filter: &[T],
    output: &mut [T],
    count: u32,
    depth: u32,
    multiplier: u32,
    image_rows: u32,
    output_rows: u32,
    row_taps: u32,
    row_stride: u32,
    row_dilation: u32,
    row_before: u32,
    image_columns: u32,
    output_columns: u32,
    column_taps: u32,
    column_stride: u32,
    column_dilation: u32,
    column_before: u32,
    image_batch: u32,
    image_pixel: u32,
    image_channel: u32,
    output_batch: u32,
    output_pixel: u32,
    output_channel: u32,
) {
    let channels = depth * multiplier;
    let plane = output_rows * output_columns;
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let batch = at / output_batch;
        let pixel = at / output_pixel % plane;
        let channel = at / output_channel % channels;
        let start = batch * image_batch + channel / multiplier * image_channel;
        let first_row = pixel / output_columns * row_stride - row_before;
        let first_column = pixel % output_columns * column_stride - column_before;
        let mut sum = 0.0f32;
        for row_tap in 0..row_taps {
            let row = first_row + row_tap * row_dilation;
            if row < image_rows {
                for column_tap in 0..column_taps {
                    let column = first_column + column_tap * column_dilation;
                    if column < image_columns {
                        let weight = filter[((row_tap * column_taps + column_tap) * channels + channel) as usize];
                        let value = image[(start + (row * image_columns + column) * image_pixel) as usize];
                        sum += value.to_f32() * weight.to_f32();
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
