//! The gradients of batch normalisation, for the three versions of `FusedBatchNormGrad`, in f32.
//!
//! What the outputs are is said where the ops are declared, in `oplink-kernels-cpu`.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{FusedBatchNormGrad, FusedBatchNormGradV2, FusedBatchNormGradV3};

use super::batch_norm::channels_of;
use super::channels::Channels;
use super::extents::extent;

/// `FusedBatchNormGrad` in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormGrad, device = GPU, T = [f32])]
pub fn fused_batch_norm_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm_grad(context)
}

/// `FusedBatchNormGradV2` with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormGradV2, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm_grad(context)
}

/// `FusedBatchNormGradV3` with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormGradV3, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v3_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm_grad(context)
}

/// Sets outputs 0 to 4 from inputs 0 to 4.
fn batch_norm_grad(context: &mut KernelContext<'_>) -> Result<()> {
    let layout = channels_of(context, 1)?;
    check(context, layout.channels)?;
    let x_backprop = context.allocate_output(0, context.input(1).shape().clone())?;
    let scale_backprop = context.allocate_output(1, Shape::new(&[layout.channels]))?;
    let offset_backprop = context.allocate_output(2, Shape::new(&[layout.channels]))?;
    if layout.channels > 0 {
        gradients(context, &layout, [&x_backprop, &scale_backprop, &offset_backprop])?;
    }
    let empty = [context.allocate_output(3, Shape::new(&[0]))?, context.allocate_output(4, Shape::new(&[0]))?];
    let outputs = [x_backprop, scale_backprop, offset_backprop].into_iter().chain(empty);
    outputs.enumerate().for_each(|(index, output)| context.set_output(index, output));
    Ok(())
}

fn check(context: &KernelContext<'_>, channels: usize) -> Result<()> {
    let (gradient, x) = (context.input(0).shape(), context.input(1).shape());
    ensure!(gradient == x, "x and y_backprop must have the same shape, they are {x} and {gradient}");
    for (index, name) in ["scale", "the mean", "the variance"].into_iter().enumerate() {
        let vector = context.input(index + 2).shape();
        ensure!(
            vector.dims() == [channels],
            "{name} must have an element for each of the {channels} channels of x, its shape is {vector}"
        );
    }
    Ok(())
}

fn gradients(context: &KernelContext<'_>, layout: &Channels, outputs: [&Tensor; 3]) -> Result<()> {
    let [x_backprop, scale_backprop, offset_backprop] = outputs;
    let (device, gradient, x) = (context.device()?, context.input(0), context.input(1));
    let (scale, mean, variance) = (context.input(2), context.input(3), context.input(4));
    let (sums, products) = (layout.sums(device, gradient)?, layout.products(device, gradient, x, mean)?);
    let lines = device.allocate(DType::Float, Shape::new(&[3, layout.channels]))?;
    let (channels, inner, count) = (extent(layout.channels)?, extent(layout.inner)?, extent(layout.count())?);
    lines_of_channels {
        sums: &sums,
        products: &products,
        scale,
        variance,
        scale_backprop,
        offset_backprop,
        lines: &lines,
        channels,
        parts: layout.parts() as u32,
        count,
        epsilon: context.attr("epsilon")?,
        training: context.attr("is_training")?,
    }
    .launch(device, lines_of_channels::blocks(layout.channels))?;
    let elements = x.num_elements();
    if elements == 0 {
        return Ok(());
    }
    let (grid, elements, dtype) = (spread::blocks(elements), extent(elements)?, x.dtype());
    spread { gradient, x, mean, lines: &lines, x_backprop, count: elements, channels, inner }
        .launch(device, dtype, grid)
}

/// Of each channel: the gradients of scale and offset, and `lines`, [3, channels]: what the gradient of a value takes from the
/// gradient, from `x - mean`, and always.
#[program(block = 256)]
fn lines_of_channels(
    sums: &[f32],
    products: &[f32],
    scale: &[f32],
    variance: &[f32],
    scale_backprop: &mut [f32],
    offset_backprop: &mut [f32],
    lines: &mut [f32],
    channels: u32,
    parts: u32,
    count: u32,
    epsilon: f32,
    training: bool,
) {
    let mut channel = (block_index().x * block_dim().x + thread_index().x) as u32;
    while channel < channels {
        let mut sum = 0.0f32;
        let mut product = 0.0f32;
        for part in 0..parts {
            sum += sums[(part * channels + channel) as usize];
            product += products[(part * channels + channel) as usize];
        }
        let spread = variance[channel as usize] + epsilon;
        let of_gradient = scale[channel as usize] / spread.sqrt();
        scale_backprop[channel as usize] = product / spread.sqrt();
        offset_backprop[channel as usize] = sum;
        let number = (count as f32).max(1.0);
        lines[channel as usize] = of_gradient;
        lines[(channels + channel) as usize] = if training { -of_gradient * product / number / spread } else { 0.0 };
        lines[(2 * channels + channel) as usize] = if training { -of_gradient * sum / number } else { 0.0 };
        channel += (grid_dim().x * block_dim().x) as u32;
    }
}

/// The gradient of each value, a thread for each.
#[program(block = 256, T = [f16, bf16, f32])]
fn spread<T: Float>(
    gradient: &[T],
    x: &[T],
    mean: &[f32],
    lines: &[f32],
    x_backprop: &mut [T],
    count: u32,
    channels: u32,
    inner: u32,
) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let channel = at / inner % channels;
        let of_gradient = gradient[at as usize].to_f32() * lines[channel as usize];
        let of_x = (x[at as usize].to_f32() - mean[channel as usize]) * lines[(channels + channel) as usize];
        x_backprop[at as usize] = T::from_f32(of_gradient + of_x + lines[(2 * channels + channel) as usize]);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}
