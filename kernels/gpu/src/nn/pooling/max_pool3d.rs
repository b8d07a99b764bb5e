//! `MaxPool3D` and its gradient: the largest value in each window of a volume, in either order of its axes.
//!
//! A window's NaN is passed over unless it is the last value. The gradient of a window goes to every one of its values that is
//! less than 1e-5 away from the largest. Summed in f32.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_kernels_cpu::ops::{MaxPool3D, MaxPool3DGrad};

use super::layout::Pooling;

/// `MaxPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool3d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let pooling = Pooling::of_volumes(context, input.shape())?;
    let output = context.allocate_output(0, pooling.output_shape())?;
    let count = output.num_elements();
    if count > 0 {
        let args = pooling.arguments_of_volumes(&[input, &output], count)?;
        context.device()?.launch(largest::program(input.dtype())?, largest::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// `MaxPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3DGrad, device = GPU, T = [f16], TInput = [f16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [bf16], TInput = [bf16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [f32], TInput = [f32])]
pub fn max_pool3d_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, pooled, gradient) = (context.input(0), context.input(1), context.input(2));
    let pooling = Pooling::of_volumes(context, input.shape())?;
    pooling.check_output(pooled, "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, input.shape().clone())?;
    let count = output.num_elements();
    if count > 0 {
        let args = pooling.arguments_of_volumes(&[input, pooled, gradient, &output], count)?;
        context.device()?.launch(to_equal::program(gradient.dtype())?, to_equal::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// The largest value of each window: a thread for each element of the output.
#[program(block = 256, T = [f16, bf16, f32])]
fn largest<T: Float>(
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
        let mut top = T::min_value();
        for plane_tap in 0..plane_taps {
            for row_tap in 0..row_taps {
                for column_tap in 0..column_taps {
                    let plane = first_plane + plane_tap;
                    let row = first_row + row_tap;
                    let column = first_column + column_tap;
                    if plane < image_planes && row < image_rows && column < image_columns {
                        let from = start + ((plane * image_rows + row) * image_columns + column) * image_pixel;
                        let value = image[from as usize];
                        let stays = top > value;
                        if !stays {
                            top = value;
                        }
                    }
                }
            }
        }
        output[at as usize] = top;
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// The sum of the gradients of the windows whose largest value each value equals.
#[program(block = 256, T = [f16, bf16, f32])]
fn to_equal<T: Float>(
    image: &[T],
    pooled: &[T],
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
        let value = image[at as usize].to_f32();
        let mut sum = 0.0f32;
        for seen_plane in first_plane..end_plane {
            for seen_row in first_row..end_row {
                for seen_column in first_column..end_column {
                    let seen = (seen_plane * output_rows + seen_row) * output_columns + seen_column;
                    let window = (start + seen * output_pixel) as usize;
                    if (value - pooled[window].to_f32()).abs() < 1e-5 {
                        sum += gradient[window].to_f32();
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
