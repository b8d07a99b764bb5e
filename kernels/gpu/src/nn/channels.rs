//! Sums over all values of each channel.
//!
//! A block sums a part of the values of some channels; the sums of the parts are added up by who wants them.

use oplink::device::DeviceContext;
use oplink::gpu::{barrier, block_index, shared, thread_index};
use oplink::prelude::*;

use super::extents::extent;

/// A tensor as [items, channels, inner]; inner is 1 where channels are last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channels {
    pub(super) items: usize,
    pub(super) channels: usize,
    pub(super) inner: usize,
}

/// Values that a thread of a block sums, as a rule.
const VALUES_A_THREAD: usize = 16;
/// The most parts that the values of a channel are summed in.
const MAX_PARTS: usize = 256;

impl Channels {
    /// Of a tensor of this shape whose channels are axis `axis`.
    pub(super) fn of(shape: &Shape, axis: usize) -> Self {
        let inner = shape[axis + 1..].iter().product();
        Self { items: shape[..axis].iter().product(), channels: shape[axis], inner }
    }

    /// Values of each channel.
    pub(super) fn count(&self) -> usize {
        self.items * self.inner
    }

    /// Channels that a block sums side by side: neighbours in memory where channels are last.
    fn lanes(&self) -> usize {
        if self.inner == 1 { 32 } else { 1 }
    }

    /// Parts that the values of a channel are summed in.
    pub(super) fn parts(&self) -> usize {
        let block = 256 / self.lanes() * VALUES_A_THREAD;
        self.count().div_ceil(block).clamp(1, MAX_PARTS)
    }

    /// The sums of the parts of the values of `x`, f32 [parts, channels].
    ///
    /// # Errors
    /// Too many elements; the device refuses.
    pub(super) fn sums(&self, device: &dyn DeviceContext, x: &Tensor) -> Result<Tensor> {
        let Pieces { sums, grid, count, part, channels, inner, lanes } = self.pieces(device, x)?;
        channel_sums { x, sums: &sums, count, part, channels, inner, lanes }.launch(device, x.dtype(), grid)?;
        Ok(sums)
    }

    /// The sums of the parts of `x * (y - mean)`, f32 [parts, channels].
    ///
    /// # Errors
    /// Too many elements; the device refuses.
    pub(super) fn products(&self, device: &dyn DeviceContext, x: &Tensor, y: &Tensor, mean: &Tensor) -> Result<Tensor> {
        let Pieces { sums, grid, count, part, channels, inner, lanes } = self.pieces(device, x)?;
        let dtype = x.dtype();
        channel_products { x, y, mean, sums: &sums, count, part, channels, inner, lanes, centred: false }
            .launch(device, dtype, grid)?;
        Ok(sums)
    }

    /// The sums of the parts of `(x - mean)^2`, f32 [parts, channels].
    ///
    /// # Errors
    /// Too many elements; the device refuses.
    pub(super) fn squares(&self, device: &dyn DeviceContext, x: &Tensor, mean: &Tensor) -> Result<Tensor> {
        let Pieces { sums, grid, count, part, channels, inner, lanes } = self.pieces(device, x)?;
        let dtype = x.dtype();
        channel_products { x, y: x, mean, sums: &sums, count, part, channels, inner, lanes, centred: true }
            .launch(device, dtype, grid)?;
        Ok(sums)
    }

    fn pieces(&self, device: &dyn DeviceContext, x: &Tensor) -> Result<Pieces> {
        extent(x.num_elements())?;
        let parts = self.parts();
        Ok(Pieces {
            sums: device.allocate(DType::Float, Shape::new(&[parts, self.channels]))?,
            grid: [self.channels.div_ceil(self.lanes()) as u32, parts as u32, 1],
            count: extent(self.count())?,
            part: extent(self.count().div_ceil(parts))?,
            channels: extent(self.channels)?,
            inner: extent(self.inner)?,
            lanes: self.lanes() as u32,
        })
    }
}

/// The work of a launch, and where its sums go.
struct Pieces {
    sums: Tensor,
    grid: [u32; 3],
    /// Values of each channel.
    count: u32,
    /// Values of a part.
    part: u32,
    channels: u32,
    inner: u32,
    lanes: u32,
}

/// Sums of values. A block sums part `block_index().y` of `lanes` channels.
#[program(block = 256, T = [f16, bf16, f32])]
fn channel_sums<T: Float>(x: &[T], sums: &mut [f32], count: u32, part: u32, channels: u32, inner: u32, lanes: u32) {
    let mut partial = shared::<f32, 256>();
    let thread = thread_index().x as u32;
    let channel = block_index().x as u32 * lanes + thread % lanes;
    let end = (block_index().y as u32 * part + part).min(count);
    let mut sum = 0.0f32;
    if channel < channels {
        let mut at = block_index().y as u32 * part + thread / lanes;
        while at < end {
            sum += x[((at / inner * channels + channel) * inner + at % inner) as usize].to_f32();
            at += 256 / lanes;
        }
    }
    partial[thread as usize] = sum;
    barrier();
    let mut half = 128;
    while half >= lanes {
        if thread < half {
            partial[thread as usize] += partial[(thread + half) as usize];
        }
        barrier();
        half /= 2;
    }
    if thread < lanes && channel < channels {
        sums[(block_index().y as u32 * channels + channel) as usize] = partial[thread as usize];
    }
}

/// Sums of `x * (y - mean)`, or of `(x - mean) * (y - mean)` with `centred`, as [`channel_sums`].
#[program(block = 256, T = [f16, bf16, f32])]
fn channel_products<T: Float>(
    x: &[T],
    y: &[T],
    mean: &[f32],
    sums: &mut [f32],
    count: u32,
    part: u32,
    channels: u32,
    inner: u32,
    lanes: u32,
    centred: bool,
) {
    let mut partial = shared::<f32, 256>();
    let thread = thread_index().x as u32;
    let channel = block_index().x as u32 * lanes + thread % lanes;
    let end = (block_index().y as u32 * part + part).min(count);
    let mut sum = 0.0f32;
    if channel < channels {
        let middle = mean[channel as usize];
        let shift = if centred { middle } else { 0.0 };
        let mut at = block_index().y as u32 * part + thread / lanes;
        while at < end {
            let element = ((at / inner * channels + channel) * inner + at % inner) as usize;
            sum += (x[element].to_f32() - shift) * (y[element].to_f32() - middle);
            at += 256 / lanes;
        }
    }
    partial[thread as usize] = sum;
    barrier();
    let mut half = 128;
    while half >= lanes {
        if thread < half {
            partial[thread as usize] += partial[(thread + half) as usize];
        }
        barrier();
        half /= 2;
    }
    if thread < lanes && channel < channels {
        sums[(block_index().y as u32 * channels + channel) as usize] = partial[thread as usize];
    }
}
