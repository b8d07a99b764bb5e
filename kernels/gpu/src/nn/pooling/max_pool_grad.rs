//! `MaxPoolGrad` and `MaxPoolGradV2`: the gradient of each window goes to the first of its largest values; NaN is the largest
//! where it comes first, and is passed over otherwise. Summed in f32.
//!
//! Where the largest values are is found first; then each value sums the gradients of the windows whose largest it is.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::int_values;
use oplink::prelude::*;
use oplink_kernels_cpu::ops::{MaxPoolGrad, MaxPoolGradV2};

use super::layout::Pooling;

/// `MaxPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGrad, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    spread(context, &pooling)
}

/// `MaxPoolGradV2` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGradV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_grad_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(3))?, int_values(context.input(4))?);
    let pooling = Pooling::new(context, context.input(0).shape(), &ksize, &strides)?;
    spread(context, &pooling)
}

fn spread(context: &mut KernelContext<'_>, pooling: &Pooling) -> Result<()> {
    let (input, gradient) = (context.input(0), context.input(2));
    pooling.check_output(context.input(1), "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, input.shape().clone())?;
    let (count, windows) = (output.num_elements(), gradient.num_elements());
    if count > 0 {
        let (device, dtype) = (context.device()?, input.dtype());
        let positions = device.allocate(DType::UInt32, gradient.shape().clone())?;
        if windows > 0 {
            let args = pooling.arguments(&[input, &positions], windows)?;
            device.launch(first_largest::program(dtype)?, first_largest::blocks(windows), &args)?;
        }
        let args = pooling.arguments(&[gradient, &positions, &output], count)?;
        device.launch(to_positions::program(dtype)?, to_positions::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// Where in the image the first of the largest values of each window is.
#[program(block = 256, T = [f16, bf16, f32])]
fn first_largest<T: Float>(
    image: &[T],
    positions: &mut [u32],
    count: u32,
    channels: u32,
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
        let pixel = at / output_pixel % (output_rows * output_columns);
        let start = at / output_batch * image_batch + at / output_channel % channels * image_channel;
        let first_row = pixel / output_columns * row_stride - row_before;
        let first_column = pixel % output_columns * column_stride - column_before;
        let mut top = T::zero();
        let mut position = u32::MAX;
        for row_tap in 0..row_taps {
            for column_tap in 0..column_taps {
                let row = first_row + row_tap;
                let column = first_column + column_tap;
                if row < image_rows && column < image_columns {
                    let from = start + (row * image_columns + column) * image_pixel;
                    let value = image[from as usize];
                    if position == u32::MAX || value > top {
                        top = value;
                        position = from;
                    }
                }
            }
        }
        positions[at as usize] = position;
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// The sum of the gradients of the windows that found each value.
#[program(block = 256, T = [f16, bf16, f32])]
fn to_positions<T: Float>(
    gradient: &[T],
    positions: &[u32],
    output: &mut [T],
    count: u32,
    channels: u32,
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
        let pixel = at / image_pixel % (image_rows * image_columns);
        let start = at / image_batch * output_batch + at / image_channel % channels * output_channel;
        let row = pixel / image_columns + row_before;
        let column = pixel % image_columns + column_before;
        // The windows that cover the value, from the first to before the end.
        let first_row = if row < row_taps { 0 } else { (row - row_taps) / row_stride + 1 };
        let first_column = if column < column_taps { 0 } else { (column - column_taps) / column_stride + 1 };
        let end_row = (row / row_stride + 1).min(output_rows);
        let end_column = (column / column_stride + 1).min(output_columns);
        let mut sum = 0.0f32;
        for seen_row in first_row..end_row {
            for seen_column in first_column..end_column {
                let window = (start + (seen_row * output_columns + seen_column) * output_pixel) as usize;
                if positions[window] == at {
                    sum += gradient[window].to_f32();
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
