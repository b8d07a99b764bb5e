//! `AvgPool`, `AvgPool3D` and their gradients: the mean of each window of an image or a volume, over the values that the window
//! covers. Summed in f32. An image is a volume of one plane.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_kernels_cpu::ops::{AvgPool, AvgPool3D, AvgPool3DGrad, AvgPoolGrad};
use oplink_kernels_cpu::support::window::shape_of;

use super::layout::Pooling;

/// `AvgPool` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    pool(context, &pooling)
}

/// `AvgPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool3d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_volumes(context, context.input(0).shape())?;
    pool(context, &pooling)
}

fn pool(context: &mut KernelContext<'_>, pooling: &Pooling) -> Result<()> {
    let value = context.input(0);
    let output = context.allocate_output(0, pooling.output_shape())?;
    let count = output.num_elements();
    if count > 0 {
        let args = pooling.arguments_of_volumes(&[value, &output], count)?;
        context.device()?.launch(mean::program(value.dtype())?, mean::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// `AvgPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPoolGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = shape_of(context.input(0), "orig_input_shape")?;
    let pooling = Pooling::of_attrs(context, &shape)?;
    spread(context, &pooling, shape)
}

/// `AvgPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3DGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool3d_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = shape_of(context.input(0), "orig_input_shape")?;
    let pooling = Pooling::of_volumes(context, &shape)?;
    spread(context, &pooling, shape)
}

fn spread(context: &mut KernelContext<'_>, pooling: &Pooling, shape: Shape) -> Result<()> {
    let gradient = context.input(1);
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, shape)?;
    let count = output.num_elements();
    if count > 0 {
        let args = pooling.arguments_of_volumes(&[gradient, &output], count)?;
        context.device()?.launch(shares::program(gradient.dtype())?, shares::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// The mean of each window: a thread for each element of the output.
#[program(block = 256, T = [f16, bf16, f32])]
fn mean<T: Float>(
    image: &[T],
    output: &mut [T],
    count: u32,
    channels: u32,
    image_planes: u32,
    output_planes: u32,
    plane_taps: u32,
    plane_stride: u32,
    plane_before: u32,
    image_rows: u32,
    output_rows: u32,
    row_taps: u32,
    row_stride: u32,
    row_before: u32,
    image_columns: u32,
    output_columns: u32,
    column_taps: u32,
    column_stride: u32,
    column_before: u32,
    image_batch: u32,
    image_pixel: u32,
    image_channel: u32,
    output_batch: u32,
    output_pixel: u32,
    output_channel: u32,
) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let pixel = at / output_pixel % (output_planes * output_rows * output_columns);
        let start = at / output_batch * image_batch + at / output_channel % channels * image_channel;
        let first_plane = pixel / output_columns / output_rows * plane_stride - plane_before;
        let first_row = pixel / output_columns % output_rows * row_stride - row_before;
        let first_column = pixel % output_columns * column_stride - column_before;
        let mut sum = 0.0f32;
        let mut covered = 0.0f32;
        for plane_tap in 0..plane_taps {
            for row_tap in 0..row_taps {
                for column_tap in 0..column_taps {
                    let plane = first_plane + plane_tap;
                    let row = first_row + row_tap;
                    let column = first_column + column_tap;
                    if plane < image_planes && row < image_rows && column < image_columns {
                        let from = start + ((plane * image_rows + row) * image_columns + column) * image_pixel;
                        sum += image[from as usize].to_f32();
                        covered += 1.0;
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum / covered.max(1.0));
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// The shares of each value in the gradients of the windows that cover it.
#[program(block = 256, T = [f16, bf16, f32], uses = [covered])]
fn shares<T: Float>(
    gradient: &[T],
    output: &mut [T],
    count: u32,
    channels: u32,
    image_planes: u32,
    output_planes: u32,
    plane_taps: u32,
    plane_stride: u32,
    plane_before: u32,
    image_rows: u32,
    output_rows: u32,
    row_taps: u32,
    row_stride: u32,
    row_before: u32,
    image_columns: u32,
    output_columns: u32,
    column_taps: u32,
    column_stride: u32,
    column_before: u32,
    image_batch: u32,
    image_pixel: u32,
    image_channel: u32,
    output_batch: u32,
    output_pixel: u32,
    output_channel: u32,
) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let pixel = at / image_pixel % (image_planes * image_rows * image_columns);
        let start = at / image_batch * output_batch + at / image_channel % channels * output_channel;
        let plane = pixel / image_columns / image_rows + plane_before;
        let row = pixel / image_columns % image_rows + row_before;
        let column = pixel % image_columns + column_before;
        // The windows that cover the value, from the first to before the end.
        let first_plane = if plane < plane_taps { 0 } else { (plane - plane_taps) / plane_stride + 1 };
        let first_row = if row < row_taps { 0 } else { (row - row_taps) / row_stride + 1 };
        let first_column = if column < column_taps { 0 } else { (column - column_taps) / column_stride + 1 };
        let end_plane = (plane / plane_stride + 1).min(output_planes);
        let end_row = (row / row_stride + 1).min(output_rows);
        let end_column = (column / column_stride + 1).min(output_columns);
        let mut sum = 0.0f32;
        for seen_plane in first_plane..end_plane {
            for seen_row in first_row..end_row {
                for seen_column in first_column..end_column {
                    let seen = (seen_plane * output_rows + seen_row) * output_columns + seen_column;
                    let window = (start + seen * output_pixel) as usize;
                    let depth = covered(seen_plane, plane_stride, plane_taps, plane_before, image_planes);
                    let height = covered(seen_row, row_stride, row_taps, row_before, image_rows);
                    let width = covered(seen_column, column_stride, column_taps, column_before, image_columns);
                    sum += gradient[window].to_f32() / (depth * height * width) as f32;
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// How many positions of an axis the window at `seen` covers.
#[device_fn]
fn covered(seen: u32, stride: u32, taps: u32, before: u32, extent: u32) -> u32 {
    (seen * stride + taps).min(extent + before) - (seen * stride).max(before)
}
