//! The gradients of depthwise convolutions. Sums are in f32.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_kernels_cpu::ops::{DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNativeBackpropInput};
use oplink_kernels_cpu::support::window::shape_of;

use super::super::extents::extent;
use super::super::parts::add_up;
use super::depthwise::Convolution;

/// The gradient with respect to the input, over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(DepthwiseConv2dNativeBackpropInput, device = GPU, T = [f16, bf16, f32], host_memory = [input_sizes])]
pub fn depthwise_conv2d_backprop_input_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (filter, gradient) = (context.input(1), context.input(2));
    let input = shape_of(context.input(0), "input_sizes")?;
    let convolution = Convolution::new(context, &input, filter.shape())?;
    convolution.check_gradient(gradient)?;
    let output = context.allocate_output(0, input)?;
    if output.num_elements() > 0 {
        let (program, count) = (input_gradient::program(gradient.dtype())?, output.num_elements());
        let args = convolution.arguments([gradient, filter, &output], count, &[])?;
        context.device()?.launch(program, input_gradient::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// A thread for each element of the input's gradient: the outputs that saw it by any tap.
#[program(block = 256, T = [f16, bf16, f32])]
fn input_gradient<T: Float>(
    gradient: &[T],
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
    let plane = image_rows * image_columns;
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let pixel = at / image_pixel % plane;
        let channel = at / image_channel % depth;
        let start = at / image_batch * output_batch;
        let mut sum = 0.0f32;
        for row_tap in 0..row_taps {
            // A distance before the first output wraps, and is behind the last one then.
            let row = pixel / image_columns + row_before - row_tap * row_dilation;
            if row % row_stride == 0 && row / row_stride < output_rows {
                for column_tap in 0..column_taps {
                    let column = pixel % image_columns + column_before - column_tap * column_dilation;
                    if column % column_stride == 0 && column / column_stride < output_columns {
                        let seen = row / row_stride * output_columns + column / column_stride;
                        for number in 0..multiplier {
                            let to = channel * multiplier + number;
                            let weight = (row_tap * column_taps + column_tap) * depth * multiplier + to;
                            let slope = gradient[(start + seen * output_pixel + to * output_channel) as usize];
                            sum += slope.to_f32() * filter[weight as usize].to_f32();
                        }
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// Output pixels that a part of the filter's gradient sums at least.
const PIXELS: usize = 64;
/// Blocks that keep a large device busy.
const BUSY: usize = 512;

/// The gradient with respect to the filter, over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(DepthwiseConv2dNativeBackpropFilter, device = GPU, T = [f16, bf16, f32], host_memory = [filter_sizes])]
pub fn depthwise_conv2d_backprop_filter_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, gradient) = (context.input(0), context.input(2));
    let filter = shape_of(context.input(1), "filter_sizes")?;
    let convolution = Convolution::new(context, input.shape(), &filter)?;
    convolution.check_gradient(gradient)?;
    let output = context.allocate_output(0, filter)?;
    let count = output.num_elements();
    if count > 0 {
        let geometry = &convolution.geometry;
        let pixels = geometry.batch * geometry.rows.output * geometry.columns.output;
        let blocks = count.div_ceil(256);
        let parts = BUSY.div_ceil(blocks).min(pixels.div_ceil(PIXELS)).max(1);
        let device = context.device()?;
        let sums = device.allocate(DType::Float, Shape::new(&[parts, count]))?;
        extent(sums.num_elements())?;
        let (program, more) =
            (filter_gradient::program(input.dtype())?, [extent(pixels)?, pixels.div_ceil(parts) as u32]);
        let args = convolution.arguments([input, gradient, &sums], count, &more)?;
        device.launch(program, [filter_gradient::blocks(count)[0], parts as u32, 1], &args)?;
        add_up(device, &sums, 1.0, &output)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// A thread for each element of the filter, and part `block_index().y` of the output's pixels.
#[program(block = 256, T = [f16, bf16, f32])]
fn filter_gradient<T: Float>(
    image: &[T],
    gradient: &[T],
    sums: &mut [f32],
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
    pixels: u32,
    part: u32,
) {
    let channels = depth * multiplier;
    let plane = output_rows * output_columns;
    let end = (block_index().y as u32 * part + part).min(pixels);
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let channel = at % channels;
        let tap = at / channels;
        let row_tap = tap / column_taps % row_taps * row_dilation - row_before;
        let column_tap = tap % column_taps * column_dilation - column_before;
        let mut sum = 0.0f32;
        for pixel in block_index().y as u32 * part..end {
            let within = pixel % plane;
            let row = within / output_columns * row_stride + row_tap;
            let column = within % output_columns * column_stride + column_tap;
            if row < image_rows && column < image_columns {
                let batch = pixel / plane;
                let from = batch * image_batch
                    + (row * image_columns + column) * image_pixel
                    + channel / multiplier * image_channel;
                let slope = batch * output_batch + within * output_pixel + channel * output_channel;
                sum += image[from as usize].to_f32() * gradient[slope as usize].to_f32();
            }
        }
        sums[(block_index().y as u32 * count + at) as usize] = sum;
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
