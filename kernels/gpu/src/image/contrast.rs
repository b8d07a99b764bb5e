//! `AdjustContrastv2`: means of channels first, in f32.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::AdjustContrastv2;

use super::colors::scalar;
use crate::movement::words;
use crate::reduce::{Layout, Steps, fold, sums};

/// `AdjustContrastv2` in the device's memory.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(AdjustContrastv2, device = GPU, T = [f16, f32], host_memory = [contrast_factor])]
pub fn adjust_contrast_v2_gpu(
    images: &Tensor,
    contrast_factor: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let factor = scalar("contrast_factor", contrast_factor)?;
    let &[ref batch @ .., rows, columns, channels] = images.shape().dims() else {
        bail!("images must be of rank 3 at least, their shape is {}", images.shape())
    };
    let out = output.allocate(images.shape().clone())?;
    let (count, pixels) = (out.num_elements(), rows * columns);
    if count == 0 {
        return Ok(());
    }
    let (device, batch) = (env.device()?, batch.iter().product::<usize>());
    let layout = Layout::new(&Shape::new(&[batch, pixels, channels]), &Tensor::from_slice(&[1]), false)?;
    let means = device.allocate(DType::Float, [batch, channels].into())?;
    fold(device, images, &means, &layout, &sums::FLOATS, Steps { before: 0, after: 0, divisor: words(pixels)? })?;
    let (pixels, channels) = (words(pixels)?, words(channels)?);
    let means = &means;
    away_from_mean { images, means, out, pixels, channels, factor, count: words(count)? }.launch(
        device,
        images.dtype(),
        away_from_mean::blocks(count),
    )
}

/// A thread for each value.
#[program(block = 256, T = [f16, f32])]
fn away_from_mean<T: Float>(
    images: &[T],
    means: &[f32],
    out: &mut [T],
    pixels: u32,
    channels: u32,
    factor: f32,
    count: u32,
) {
    for at in grid_stride(count) {
        let mean = means[(at / channels / pixels * channels + at % channels) as usize];
        out[at as usize] = T::from_f32(mean + factor * (images[at as usize].to_f32() - mean));
    }
}
