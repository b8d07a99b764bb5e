//! The gradients of batch normalisation, for the three versions of `FusedBatchNormGrad`, in f32.
//!
//! What the outputs are is said where the ops are declared, in `oplink-ops`.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::{FusedBatchNormGrad, FusedBatchNormGradV2, FusedBatchNormGradV3};

use super::batch_norm::channels_of;
use super::channels::Channels;
use super::extents::extent;

/// `FusedBatchNormGrad` and `FusedBatchNormGradV2`, with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormGrad, device = GPU, T = [f32])]
#[kernel(FusedBatchNormGradV2, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_gpu(
    y_backprop: &Tensor,
    x: &Tensor,
    scale: &Tensor,
    reserve_space_1: &Tensor,
    reserve_space_2: &Tensor,
    epsilon: f32,
    data_format: &str,
    is_training: bool,
    x_backprop: OutputSlot<'_>,
    scale_backprop: OutputSlot<'_>,
    offset_backprop: OutputSlot<'_>,
    reserve_space_3: OutputSlot<'_>,
    reserve_space_4: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (mean, variance) = (reserve_space_1, reserve_space_2);
    let given = Given { gradient: y_backprop, x, scale, mean, variance, epsilon, is_training };
    given.run(data_format, [x_backprop, scale_backprop, offset_backprop], [reserve_space_3, reserve_space_4], env)
}

/// `FusedBatchNormGradV3` with statistics in f32.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(FusedBatchNormGradV3, device = GPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v3_gpu(
    y_backprop: &Tensor,
    x: &Tensor,
    scale: &Tensor,
    reserve_space_1: &Tensor,
    reserve_space_2: &Tensor,
    epsilon: f32,
    data_format: &str,
    is_training: bool,
    x_backprop: OutputSlot<'_>,
    scale_backprop: OutputSlot<'_>,
    offset_backprop: OutputSlot<'_>,
    reserve_space_4: OutputSlot<'_>,
    reserve_space_5: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (mean, variance) = (reserve_space_1, reserve_space_2);
    let given = Given { gradient: y_backprop, x, scale, mean, variance, epsilon, is_training };
    given.run(data_format, [x_backprop, scale_backprop, offset_backprop], [reserve_space_4, reserve_space_5], env)
}

/// The arguments of a gradient.
struct Given<'a> {
    gradient: &'a Tensor,
    x: &'a Tensor,
    scale: &'a Tensor,
    mean: &'a Tensor,
    variance: &'a Tensor,
    epsilon: f32,
    is_training: bool,
}

impl Given<'_> {
    /// Sets the gradients of `x`, scale and offset, and the reserved outputs, which are empty.
    fn run(
        &self,
        data_format: &str,
        [mut x, mut scale, mut offset]: [OutputSlot<'_>; 3],
        reserved: [OutputSlot<'_>; 2],
        env: Env<'_>,
    ) -> Result<()> {
        let layout = channels_of(data_format, self.x.shape())?;
        self.check(layout.channels)?;
        let x = x.allocate(self.x.shape().clone())?;
        let (scale, offset) = (scale.allocate([layout.channels])?, offset.allocate([layout.channels])?);
        for mut reserved in reserved {
            reserved.allocate([0])?;
        }
        if layout.channels > 0 { self.gradients(&layout, [x, scale, offset], env) } else { Ok(()) }
    }

    fn check(&self, channels: usize) -> Result<()> {
        let (gradient, x) = (self.gradient.shape(), self.x.shape());
        ensure!(gradient == x, "x and y_backprop must have the same shape, they are {x} and {gradient}");
        for (vector, name) in [(self.scale, "scale"), (self.mean, "the mean"), (self.variance, "the variance")] {
            ensure!(
                vector.shape().dims() == [channels],
                "{name} must have an element for each of the {channels} channels of x, its shape is {}",
                vector.shape()
            );
        }
        Ok(())
    }

    fn gradients(
        &self,
        layout: &Channels,
        [x_backprop, scale_backprop, offset_backprop]: [&Tensor; 3],
        env: Env<'_>,
    ) -> Result<()> {
        let Self { gradient, x, scale, mean, variance, epsilon, is_training } = *self;
        let device = env.device()?;
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
            epsilon,
            training: is_training,
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
}

/// Of each channel: the gradients of scale and offset, and `lines`, [3, channels]: what the gradient of a value takes
/// from the gradient, from `x - mean`, and always.
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
