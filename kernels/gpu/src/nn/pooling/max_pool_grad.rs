//! `MaxPoolGrad`, `MaxPoolGradV2` and `MaxPool3DGrad`, summed in f32.
//!
//! In images the gradient of each window goes to the first of its largest values; NaN is the largest where it comes
//! first, and is passed over otherwise. The largest values are found first; then each value sums the gradients of the
//! windows whose largest it is. In volumes the gradient goes to every value that is less than 1e-5 away from the
//! largest.

use oplink::prelude::*;
use oplink_ops::nn::window::{PoolWindow, WindowAttrs};
use oplink_ops::{MaxPool3DGrad, MaxPool3DGradAttrs, MaxPoolGrad, MaxPoolGradAttrs, MaxPoolGradV2, MaxPoolGradV2Attrs};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::{argmax_gradient, equal_gradient, window_argmax};

/// `MaxPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGrad, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_grad_gpu(
    orig_input: &Tensor,
    orig_output: &Tensor,
    grad: &Tensor,
    attrs: MaxPoolGradAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let pooling = Pooling::of_images(&env.node().op.name, &attrs.into(), orig_input.shape())?;
    spread([orig_input, orig_output, grad], &pooling, output, env)
}

/// `MaxPoolGradV2` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGradV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_grad_v2_gpu(
    orig_input: &Tensor,
    orig_output: &Tensor,
    grad: &Tensor,
    ksize: &Tensor,
    strides: &Tensor,
    attrs: MaxPoolGradV2Attrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let op = &env.node().op.name;
    let [ksize, strides] = PoolWindow::numbers(op, [ksize, strides])?;
    let attrs = WindowAttrs { ksize: &ksize, strides: &strides, ..attrs.into() };
    spread([orig_input, orig_output, grad], &Pooling::of_images(op, &attrs, orig_input.shape())?, output, env)
}

fn spread(
    [image, pooled, gradient]: [&Tensor; 3],
    pooling: &Pooling,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    pooling.check_output(pooled, "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = output.allocate(image.shape().clone())?;
    let (count, windows) = (output.num_elements(), gradient.num_elements());
    if count == 0 {
        return Ok(());
    }
    let (device, dtype, pool) = (env.device()?, image.dtype(), pooling.pool()?);
    let positions = device.allocate(DType::UInt32, gradient.shape().clone())?;
    if windows > 0 {
        let program = window_argmax { image, positions: &positions, pool, count: extent(windows)? };
        program.launch(device, dtype, window_argmax::blocks(windows))?;
    }
    let program = argmax_gradient { gradient, positions: &positions, output, pool, count: extent(count)? };
    program.launch(device, dtype, argmax_gradient::blocks(count))
}

/// `MaxPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3DGrad, device = GPU, T = [f16], TInput = [f16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [bf16], TInput = [bf16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [f32], TInput = [f32])]
pub fn max_pool3d_grad_gpu(
    orig_input: &Tensor,
    orig_output: &Tensor,
    grad: &Tensor,
    attrs: MaxPool3DGradAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (image, pooled, gradient) = (orig_input, orig_output, grad);
    let pooling = Pooling::of_volumes(&env.node().op.name, &attrs.into(), image.shape())?;
    pooling.check_output(pooled, "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = output.allocate(image.shape().clone())?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let program = equal_gradient { image, pooled, gradient, output, pool: pooling.pool()?, count: extent(count)? };
    program.launch(env.device()?, gradient.dtype(), equal_gradient::blocks(count))
}
