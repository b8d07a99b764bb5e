//! `MaxPool` and `MaxPoolV2`: the largest value in each window of an image. NaN is passed over; a window without a larger value
//! gives the smallest finite one.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::int_values;
use oplink::prelude::*;
use oplink_kernels_cpu::ops::{MaxPool, MaxPoolV2};

use super::layout::Pooling;

/// `MaxPool` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    pool(context, &pooling)
}

/// `MaxPoolV2` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(1))?, int_values(context.input(2))?);
    let pooling = Pooling::new(context, context.input(0).shape(), &ksize, &strides)?;
    pool(context, &pooling)
}

fn pool(context: &mut KernelContext<'_>, pooling: &Pooling) -> Result<()> {
    let input = context.input(0);
    let output = context.allocate_output(0, pooling.output_shape())?;
    let count = output.num_elements();
    if count > 0 {
        let args = pooling.arguments(&[input, &output], count)?;
        context.device()?.launch(largest::program(input.dtype())?, largest::blocks(count), &args)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// A thread for each element of the output.
#[program(block = 256, T = [f16, bf16, f32])]
fn largest<T: Float>(
    image: &[T],
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
        let pixel = at / output_pixel % (output_rows * output_columns);
        let start = at / output_batch * image_batch + at / output_channel % channels * image_channel;
        let first_row = pixel / output_columns * row_stride - row_before;
        let first_column = pixel % output_columns * column_stride - column_before;
        let mut top = T::min_value();
        for row_tap in 0..row_taps {
            for column_tap in 0..column_taps {
                let row = first_row + row_tap;
                let column = first_column + column_tap;
                if row < image_rows && column < image_columns {
                    let value = image[(start + (row * image_columns + column) * image_pixel) as usize];
                    if value > top {
                        top = value;
                    }
                }
            }
        }
        output[at as usize] = top;
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
