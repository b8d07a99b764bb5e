//! `AvgPool`, `AvgPool3D` and their gradients: the mean of each window of an image or a volume, over the values that
//! the window covers. Summed in f32. An image is a volume of one plane.

use oplink::prelude::*;
use oplink_ops::nn::window::shape_of;
use oplink_ops::{
    AvgPool, AvgPool3D, AvgPool3DAttrs, AvgPool3DGrad, AvgPool3DGradAttrs, AvgPoolAttrs, AvgPoolGrad, AvgPoolGradAttrs,
};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::{mean_gradient, window_mean};

/// `AvgPool` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool_gpu(value: &Tensor, attrs: AvgPoolAttrs<'_>, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    pool(value, &Pooling::of_images(&env.node().op.name, &attrs.into(), value.shape())?, output, env)
}

/// `AvgPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool3d_gpu(input: &Tensor, attrs: AvgPool3DAttrs<'_>, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    pool(input, &Pooling::of_volumes(&env.node().op.name, &attrs.into(), input.shape())?, output, env)
}

fn pool(image: &Tensor, pooling: &Pooling, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let output = output.allocate(pooling.output_shape())?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let program = window_mean { image, output, pool: pooling.pool()?, count: extent(count)? };
    program.launch(env.device()?, image.dtype(), window_mean::blocks(count))
}

/// `AvgPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPoolGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool_grad_gpu(
    orig_input_shape: &Tensor,
    grad: &Tensor,
    attrs: AvgPoolGradAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = shape_of(orig_input_shape, "orig_input_shape")?;
    let pooling = Pooling::of_images(&env.node().op.name, &attrs.into(), &shape)?;
    spread(grad, &pooling, shape, output, env)
}

/// `AvgPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3DGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool3d_grad_gpu(
    orig_input_shape: &Tensor,
    grad: &Tensor,
    attrs: AvgPool3DGradAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = shape_of(orig_input_shape, "orig_input_shape")?;
    let pooling = Pooling::of_volumes(&env.node().op.name, &attrs.into(), &shape)?;
    spread(grad, &pooling, shape, output, env)
}

fn spread(gradient: &Tensor, pooling: &Pooling, shape: Shape, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    pooling.check_output(gradient, "grad")?;
    let output = output.allocate(shape)?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let program = mean_gradient { gradient, output, pool: pooling.pool()?, count: extent(count)? };
    program.launch(env.device()?, gradient.dtype(), mean_gradient::blocks(count))
}
