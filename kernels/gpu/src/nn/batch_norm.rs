//! `FusedBatchNorm`, `FusedBatchNormV2` and `FusedBatchNormV3`: each channel normalised, in f32.
//!
//! What the outputs are is said where the ops are declared, in `oplink-ops`.

use oplink::device::DeviceContext;
use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{FusedBatchNorm, FusedBatchNormV2, FusedBatchNormV3};

use super::channels::Channels;
use super::extents::extent;

/// `FusedBatchNorm`, `FusedBatchNormV2` and `FusedBatchNormV3`, with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNorm, device = GPU, T = [f32])]
#[kernel(FusedBatchNormV2, device = GPU, T = [f16, bf16, f32], U = [f32])]
#[kernel(FusedBatchNormV3, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_gpu(
    x: &Tensor,
    scale: &Tensor,
    offset: &Tensor,
    mean: &Tensor,
    variance: &Tensor,
    epsilon: f32,
    exponential_avg_factor: f32,
    data_format: &str,
    is_training: bool,
    mut y: OutputSlot<'_>,
    mut batch_mean: OutputSlot<'_>,
    mut batch_variance: OutputSlot<'_>,
    mut reserve_space_1: OutputSlot<'_>,
    mut reserve_space_2: OutputSlot<'_>,
    reserve_space_3: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let layout = channels_of(data_format, x.shape())?;
    let is_averaged = !is_training || exponential_avg_factor != 1.0;
    check_vectors([scale, offset], [mean, variance], layout.channels, is_averaged)?;
    let device = env.device()?;
    let given = Statistics { mean: mean.clone(), variance: variance.clone() };
    let (averages, used) = if is_training {
        training(device, x, &layout, &given, exponential_avg_factor)?
    } else if layout.count() == 0 {
        (Statistics::unknown(device, layout.channels)?, given)
    } else {
        (given.clone(), given)
    };
    normalized([x, scale, offset, y.allocate(x.shape().clone())?], &layout, &used, epsilon, env)?;
    batch_mean.set(averages.mean);
    batch_variance.set(averages.variance);
    reserve_space_1.set(used.mean);
    reserve_space_2.set(used.variance);
    match reserve_space_3 {
        Some(mut reserved) => clear { output: reserved.allocate(Shape::scalar())? }.launch(device, [1, 1, 1]),
        None => Ok(()),
    }
}

/// The channels of images or volumes, of which the data format says where they are.
pub(super) fn channels_of(format: &str, shape: &Shape) -> Result<Channels> {
    ensure!(shape.rank() == format.len(), "x must be of rank {} for {format}, its shape is {shape}", format.len());
    Ok(Channels::of(shape, format.find('C').unwrap_or(shape.rank() - 1)))
}

/// A mean and a variance for each channel.
#[derive(Clone)]
struct Statistics {
    mean: Tensor,
    variance: Tensor,
}

impl Statistics {
    /// Those of channels without elements: NaN.
    fn unknown(device: &dyn DeviceContext, channels: usize) -> Result<Self> {
        // bounded: as many as the inputs `scale` and `offset` have
        let unknown = Tensor::from_vec([channels], vec![f32::NAN; channels])?;
        let unknown = device.copy_to_device(&unknown)?;
        Ok(Self { mean: unknown.clone(), variance: unknown })
    }
}

/// Fails unless the vectors have an element for each channel; statistics that are not averaged are not read.
fn check_vectors(
    [scale, offset]: [&Tensor; 2],
    [mean, variance]: [&Tensor; 2],
    channels: usize,
    is_averaged: bool,
) -> Result<()> {
    let all = [(scale, "scale", true), (offset, "offset", true)];
    let statistics = [(mean, "mean", is_averaged), (variance, "variance", is_averaged)];
    for (vector, name, is_read) in all.into_iter().chain(statistics) {
        ensure!(
            vector.shape().dims() == [channels] || !is_read,
            "{name} must have an element for each of the {channels} channels of x, its shape is {}",
            vector.shape()
        );
    }
    Ok(())
}

/// The new running averages, and the batch's own mean and biased variance.
fn training(
    device: &dyn DeviceContext,
    x: &Tensor,
    layout: &Channels,
    given: &Statistics,
    factor: f32,
) -> Result<(Statistics, Statistics)> {
    let vector = || device.allocate(DType::Float, Shape::new(&[layout.channels]));
    let (averages, batch) =
        (Statistics { mean: vector()?, variance: vector()? }, Statistics { mean: vector()?, variance: vector()? });
    if layout.channels == 0 {
        return Ok((averages, batch));
    }
    let (grid, count) = (statistics::blocks(layout.channels), extent(layout.count())?);
    let (channels, parts) = (extent(layout.channels)?, layout.parts() as u32);
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

/// Writes `x` normalised to `y`.
fn normalized(
    [x, scale, offset, y]: [&Tensor; 4],
    layout: &Channels,
    used: &Statistics,
    epsilon: f32,
    env: Env<'_>,
) -> Result<()> {
    let count = y.num_elements();
    if count == 0 {
        return Ok(());
    }
    let (channels, inner) = (extent(layout.channels)?, extent(layout.inner)?);
    let (mean, variance) = (&used.mean, &used.variance);
    let (device, grid, count) = (env.device()?, normalize::blocks(count), extent(count)?);
    normalize { x, scale, offset, mean, variance, y, count, channels, inner, epsilon }.launch(device, x.dtype(), grid)
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
