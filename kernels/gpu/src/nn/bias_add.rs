//! `BiasAdd` and its gradient.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{BiasAdd, BiasAddGrad, BiasAddV1};

use super::channels::Channels;
use super::extents::extent;
use super::parts::add_up;

/// Adds the vector `bias` along the channel axis of `value`.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(BiasAdd, device = GPU, T = [f16, bf16, f32, f64])]
pub fn bias_add_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let channels_first = context.attr::<&str>("data_format")? == "NCHW";
    add_bias(context, channels_first)
}

/// Adds the vector `bias` along the last axis of `value`.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(BiasAddV1, device = GPU, T = [f16, bf16, f32, f64])]
pub fn bias_add_v1_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    add_bias(context, false)
}

fn add_bias(context: &mut KernelContext<'_>, channels_first: bool) -> Result<()> {
    let (value, bias) = (context.input(0), context.input(1));
    let shape = value.shape();
    ensure!(shape.rank() >= 2, "value must be of rank 2 at least, its shape is {shape}");
    ensure!(bias.rank() == 1, "bias must be a vector, its shape is {}", bias.shape());
    let axis = if channels_first { 1 } else { shape.rank() - 1 };
    let (layout, length) = (Channels::of(shape, axis), bias.num_elements());
    ensure!(length == layout.channels, "bias has {length} elements, axis {axis} of value {shape} must have as many");
    let output = context.allocate_output(0, shape.clone())?;
    let count = output.num_elements();
    if count > 0 {
        let (channels, inner) = (extent(layout.channels)?, extent(layout.inner)?);
        let (device, dtype, grid) = (context.device()?, value.dtype(), biased::blocks(count));
        biased { value, bias, output: &output, count: extent(count)?, channels, inner }.launch(device, dtype, grid)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// A thread for each element.
#[program(block = 256, T = [f16, bf16, f32, f64])]
fn biased<T: Float>(value: &[T], bias: &[T], output: &mut [T], count: u32, channels: u32, inner: u32) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        output[at as usize] = value[at as usize] + bias[(at / inner % channels) as usize];
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// The sums of `out_backprop` along all axes but the channels.
///
/// # Errors
/// A rank that is too low; the device refuses.
#[kernel(BiasAddGrad, device = GPU, T = [f16, bf16, f32])]
pub fn bias_add_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let gradient = context.input(0);
    let shape = gradient.shape();
    let channels_first = context.attr::<&str>("data_format")? == "NCHW";
    let least = if channels_first { 3 } else { 2 };
    ensure!(shape.rank() >= least, "out_backprop must be of rank {least} at least, its shape is {shape}");
    let layout = Channels::of(shape, if channels_first { 1 } else { shape.rank() - 1 });
    let output = context.allocate_output(0, Shape::new(&[layout.channels]))?;
    if layout.channels > 0 {
        let device = context.device()?;
        let sums = layout.sums(device, gradient)?;
        add_up(device, &sums, 1.0, &output)?;
    }
    context.set_output(0, output);
    Ok(())
}
