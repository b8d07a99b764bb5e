//! `BiasAdd` and its gradient.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{BiasAdd, BiasAddGrad, BiasAddV1, DataFormat};

use super::channels::Channels;
use super::extents::extent;
use super::parts::add_up;

/// `BiasAdd` and `BiasAddV1`, whose channels are last, of floats.
#[kernel(BiasAdd, device = GPU, T = [f16, bf16, f32, f64])]
#[kernel(BiasAddV1, device = GPU, T = [f16, bf16, f32, f64])]
pub fn bias_add_gpu(
    value: &Tensor,
    bias: &Tensor,
    data_format: Option<DataFormat>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = value.shape();
    ensure!(shape.rank() >= 2, "value must be of rank 2 at least, its shape is {shape}");
    ensure!(bias.rank() == 1, "bias must be a vector, its shape is {}", bias.shape());
    let axis = if data_format == Some(DataFormat::Nchw) { 1 } else { shape.rank() - 1 };
    let (layout, length) = (Channels::of(shape, axis), bias.num_elements());
    ensure!(length == layout.channels, "bias has {length} elements, axis {axis} of value {shape} must have as many");
    let output = output.allocate(shape.clone())?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let (channels, inner) = (extent(layout.channels)?, extent(layout.inner)?);
    biased { value, bias, output, count: extent(count)?, channels, inner }.launch(
        env.device()?,
        value.dtype(),
        biased::blocks(count),
    )
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
pub fn bias_add_grad_gpu(
    out_backprop: &Tensor,
    data_format: DataFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = out_backprop.shape();
    let channels_first = data_format == DataFormat::Nchw;
    let least = if channels_first { 3 } else { 2 };
    ensure!(shape.rank() >= least, "out_backprop must be of rank {least} at least, its shape is {shape}");
    let layout = Channels::of(shape, if channels_first { 1 } else { shape.rank() - 1 });
    let output = output.allocate([layout.channels])?;
    if layout.channels == 0 {
        return Ok(());
    }
    let device = env.device()?;
    add_up(device, &layout.sums(device, out_backprop)?, 1.0, output)
}
