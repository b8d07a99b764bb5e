//! The gradients of depthwise convolutions. Sums are in f32.

use oplink::gpu::{block_index, grid_stride};
use oplink::prelude::*;
use oplink_ops::nn::window::shape_of;
use oplink_ops::{
    DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNativeBackpropFilterAttrs, DepthwiseConv2dNativeBackpropInput,
    DepthwiseConv2dNativeBackpropInputAttrs,
};

use super::super::extents::extent;
use super::super::parts::add_up;
use super::depthwise::{Channelwise, Convolution};

/// The gradient with respect to the input, over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(DepthwiseConv2dNativeBackpropInput, device = GPU, T = [f16, bf16, f32], host_memory = [input_sizes])]
pub fn depthwise_conv2d_backprop_input_gpu(
    input_sizes: &Tensor,
    filter: &Tensor,
    out_backprop: &Tensor,
    attrs: DepthwiseConv2dNativeBackpropInputAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let input = shape_of(input_sizes, "input_sizes")?;
    let convolution = Convolution::new(&env.node().op.name, &attrs.into(), &input, filter.shape())?;
    convolution.check_gradient(out_backprop)?;
    let output = output.allocate(input)?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let (shape, elements) = (convolution.shape()?, extent(count)?);
    let program = input_gradient { gradient: out_backprop, filter, output, shape, count: elements };
    program.launch(env.device()?, out_backprop.dtype(), input_gradient::blocks(count))
}

/// A thread for each element of the input's gradient: the outputs that saw it by any tap.
#[program(block = 256, T = [f16, bf16, f32])]
fn input_gradient<T: Float>(gradient: &[T], filter: &[T], output: &mut [T], shape: Channelwise, count: u32) {
    let Channelwise { depth, multiplier, rows, columns, .. } = shape;
    for at in grid_stride(count) {
        let pixel = at / shape.image.pixel % (rows.image * columns.image);
        let channel = at / shape.image.channel % depth;
        let start = at / shape.image.batch * shape.output.batch;
        let mut sum = 0.0f32;
        for row_tap in 0..rows.taps {
            // A distance before the first output wraps, and is behind the last one then.
            let row = pixel / columns.image + rows.before - row_tap * rows.dilation;
            if row % rows.stride == 0 && row / rows.stride < rows.output {
                for column_tap in 0..columns.taps {
                    let column = pixel % columns.image + columns.before - column_tap * columns.dilation;
                    if column % columns.stride == 0 && column / columns.stride < columns.output {
                        let seen = row / rows.stride * columns.output + column / columns.stride;
                        for number in 0..multiplier {
                            let to = channel * multiplier + number;
                            let weight = (row_tap * columns.taps + column_tap) * depth * multiplier + to;
                            let from = start + seen * shape.output.pixel + to * shape.output.channel;
                            sum += gradient[from as usize].to_f32() * filter[weight as usize].to_f32();
                        }
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
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
pub fn depthwise_conv2d_backprop_filter_gpu(
    input: &Tensor,
    filter_sizes: &Tensor,
    out_backprop: &Tensor,
    attrs: DepthwiseConv2dNativeBackpropFilterAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let filter = shape_of(filter_sizes, "filter_sizes")?;
    let convolution = Convolution::new(&env.node().op.name, &attrs.into(), input.shape(), &filter)?;
    convolution.check_gradient(out_backprop)?;
    let output = output.allocate(filter)?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let geometry = &convolution.geometry;
    let pixels = geometry.batch * geometry.rows.output * geometry.columns.output;
    let blocks = count.div_ceil(256);
    let parts = BUSY.div_ceil(blocks).min(pixels.div_ceil(PIXELS)).max(1);
    let device = env.device()?;
    let sums = device.allocate(DType::Float, Shape::new(&[parts, count]))?;
    extent(sums.num_elements())?;
    let program = filter_gradient {
        image: input,
        gradient: out_backprop,
        sums: &sums,
        shape: convolution.shape()?,
        count: extent(count)?,
        pixels: extent(pixels)?,
        part: pixels.div_ceil(parts) as u32,
    };
    program.launch(device, input.dtype(), [filter_gradient::blocks(count)[0], parts as u32, 1])?;
    add_up(device, &sums, 1.0, output)
}

/// A thread for each element of the filter, and part `block_index().y` of the output's pixels.
#[program(block = 256, T = [f16, bf16, f32])]
fn filter_gradient<T: Float>(
    image: &[T],
    gradient: &[T],
    sums: &mut [f32],
    shape: Channelwise,
    count: u32,
    pixels: u32,
    part: u32,
) {
    let Channelwise { depth, multiplier, rows, columns, .. } = shape;
    let channels = depth * multiplier;
    let plane = rows.output * columns.output;
    let first = block_index().y as u32 * part;
    let end = (first + part).min(pixels);
    for at in grid_stride(count) {
        let channel = at % channels;
        let tap = at / channels;
        // A position before the image wraps, and is behind it then.
        let row_tap = tap / columns.taps % rows.taps * rows.dilation - rows.before;
        let column_tap = tap % columns.taps * columns.dilation - columns.before;
        let mut sum = 0.0f32;
        for pixel in first..end {
            let within = pixel % plane;
            let row = within / columns.output * rows.stride + row_tap;
            let column = within % columns.output * columns.stride + column_tap;
            if row < rows.image && column < columns.image {
                let batch = pixel / plane;
                let from = batch * shape.image.batch
                    + (row * columns.image + column) * shape.image.pixel
                    + channel / multiplier * shape.image.channel;
                let slope = batch * shape.output.batch + within * shape.output.pixel + channel * shape.output.channel;
                sum += image[from as usize].to_f32() * gradient[slope as usize].to_f32();
            }
        }
        sums[(block_index().y as u32 * count + at) as usize] = sum;
    }
}
