//! `FusedBatchNorm`, `FusedBatchNormV2` and `FusedBatchNormV3`: each channel normalised, in f32.
//!
//! What the outputs are is said where the ops are declared, in `oplink-kernels-cpu`.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{FusedBatchNorm, FusedBatchNormV2, FusedBatchNormV3};

use super::channels::Channels;
use super::extents::extent;

/// `FusedBatchNorm` in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNorm, device = GPU, T = [f32])]
pub fn fused_batch_norm_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm(context).map(|_| ())
}

/// `FusedBatchNormV2` with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormV2, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm(context).map(|_| ())
}

/// `FusedBatchNormV3` with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormV3, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v3_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let reserve = batch_norm(context)?;
    context.set_output(5, reserve);
    Ok(())
}

/// The channels of input `index`, of which the op's data format says where they are.
pub(super) fn channels_of(context: &KernelContext<'_>, index: usize) -> Result<Channels> {
    let (format, shape) = (context.attr::<&str>("data_format")?, context.input(index).shape());
    ensure!(shape.rank() == format.len(), "x must be of rank {} for {format}, its shape is {shape}", format.len());
    Ok(Channels::of(shape, format.find('C').unwrap_or(shape.rank() - 1)))
}

/// A mean and a variance for each channel.
struct Statistics {
    mean: Tensor,
    variance: Tensor,
}

/// Sets outputs 0 to 4 from inputs 0 to 4; returns a scalar 0.
fn batch_norm(context: &mut KernelContext<'_>) -> Result<Tensor> {
    let layout = channels_of(context, 0)?;
    check_vectors(context, layout.channels)?;
    let device = context.device()?;
    let given = Statistics { mean: context.input(3).clone(), variance: context.input(4).clone() };
    let (averages, used) = if context.attr("is_training")? {
        training(context, &layout, &given)?
    } else if layout.count() == 0 {
        let unknown = Tensor::from_vec([layout.channels], vec![f32::NAN; layout.channels])?;
        let unknown = device.copy_to_device(&unknown)?;
        (Statistics { mean: unknown.clone(), variance: unknown }, given)
    } else {
        (Statistics { mean: given.mean.clone(), variance: given.variance.clone() }, given)
    };
    let y = normalized(context, &layout, &used)?;
    let zero = device.allocate(DType::Float, Shape::new(&[]))?;
    clear { output: &zero }.launch(device, [1, 1, 1])?;
    let outputs = [y, averages.mean, averages.variance, used.mean, used.variance];
    outputs.into_iter().enumerate().for_each(|(index, output)| context.set_output(index, output));
    Ok(zero)
}

fn check_vectors(context: &KernelContext<'_>, channels: usize) -> Result<()> {
    let averaged = !context.attr::<bool>("is_training")? || context.attr::<f32>("exponential_avg_factor")? != 1.0;
    for (index, name) in ["scale", "offset", "mean", "variance"].into_iter().enumerate() {
        let vector = context.input(index + 1).shape();
        ensure!(
            vector.dims() == [channels] || index >= 2 && !averaged,
            "{name} must have an element for each of the {channels} channels of x, its shape is {vector}"
        );
    }
    Ok(())
}

/// The new running averages, and the batch's own mean and biased variance.
fn training(context: &KernelContext<'_>, layout: &Channels, given: &Statistics) -> Result<(Statistics, Statistics)> {
    let (device, x) = (context.device()?, context.input(0));
    let vector = || device.allocate(DType::Float, Shape::new(&[layout.channels]));
    let (averages, batch) =
        (Statistics { mean: vector()?, variance: vector()? }, Statistics { mean: vector()?, variance: vector()? });
    if layout.channels == 0 {
        return Ok((averages, batch));
    }
    let (grid, count) = (statistics::blocks(layout.channels), extent(layout.count())?);
    let (channels, parts) = (extent(layout.channels)?, layout.parts() as u32);
    let factor: f32 = context.attr("exponential_avg_factor")?;
    let sums = layout.sums(device, x)?;
    statistics {
        sums: &sums,
        given: &given.mean,
        batch: &batch.mean,
        average: &averages.mean,
        channels,
        parts,
        count,
        factor,
        scale: 1.0,
    }
    .launch(device, grid)?;
    let squares = layout.squares(device, x, &batch.mean)?;
    let unbiased = layout.count() as f32 / layout.count().saturating_sub(1).max(1) as f32;
    let (own, average) = (&batch.variance, &averages.variance);
    statistics {
        sums: &squares,
        given: &given.variance,
        batch: own,
        average,
        channels,
        parts,
        count,
        factor,
        scale: unbiased,
    }
    .launch(device, grid)?;
    Ok((averages, batch))
}

/// Of each channel: the mean of the values summed in parts, and the running average of that mean times `scale`.
#[program(block = 256)]
fn statistics(
    sums: &[f32],
    given: &[f32],
    batch: &mut [f32],
    average: &mut [f32],
    channels: u32,
    parts: u32,
    count: u32,
    factor: f32,
    scale: f32,
) {
    let mut channel = (block_index().x * block_dim().x + thread_index().x) as u32;
    while channel < channels {
        let mut sum = 0.0f32;
        for part in 0..parts {
            sum += sums[(part * channels + channel) as usize];
        }
        let mean = sum / count as f32;
        batch[channel as usize] = mean;
        let mut new = mean * scale;
        if factor != 1.0 {
            new = (1.0 - factor) * given[channel as usize] + factor * new;
        }
        average[channel as usize] = new;
        channel += (grid_dim().x * block_dim().x) as u32;
    }
}

/// `x` normalised.
fn normalized(context: &KernelContext<'_>, layout: &Channels, used: &Statistics) -> Result<Tensor> {
    let (x, scale, offset) = (context.input(0), context.input(1), context.input(2));
    let y = context.allocate_output(0, x.shape().clone())?;
    let count = y.num_elements();
    if count > 0 {
        let (channels, inner) = (extent(layout.channels)?, extent(layout.inner)?);
        let (mean, variance, epsilon) = (&used.mean, &used.variance, context.attr::<f32>("epsilon")?);
        let (device, grid, count) = (context.device()?, normalize::blocks(count), extent(count)?);
        let dtype = x.dtype();
        normalize { x, scale, offset, mean, variance, y: &y, count, channels, inner, epsilon }
            .launch(device, dtype, grid)?;
    }
    Ok(y)
}

/// A thread for each element.
#[program(block = 256, T = [f16, bf16, f32])]
fn normalize<T: Float>(
    x: &[T],
    scale: &[f32],
    offset: &[f32],
    mean: &[f32],
    variance: &[f32],
    y: &mut [T],
    count: u32,
    channels: u32,
    inner: u32,
    epsilon: f32,
) {
    let mut at = (block_index().x * block_dim().x + thread_index().x) as u32;
    while at < count {
        let channel = (at / inner % channels) as usize;
        let factor = scale[channel] / (variance[channel] + epsilon).sqrt();
        y[at as usize] = T::from_f32((x[at as usize].to_f32() - mean[channel]) * factor + offset[channel]);
        at += (grid_dim().x * block_dim().x) as u32;
    }
}

/// Sets the only element to 0.
#[program(block = 1)]
fn clear(output: &mut [f32]) {
    if thread_index().x == 0 {
        output[0] = 0.0;
    }
}
