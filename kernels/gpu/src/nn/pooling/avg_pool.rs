//! `AvgPool`, `AvgPool3D` and their gradients: the mean of each window of an image or a volume, over the values that the window
//! covers. Summed in f32. An image is a volume of one plane.

use oplink::prelude::*;
use oplink_ops::nn::window::shape_of;
use oplink_ops::{AvgPool, AvgPool3D, AvgPool3DGrad, AvgPoolGrad};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::{mean_gradient, window_mean};

/// `AvgPool` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    pool(context, &pooling)
}

/// `AvgPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn avg_pool3d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_volumes(context, context.input(0).shape())?;
    pool(context, &pooling)
}

fn pool(context: &mut KernelContext<'_>, pooling: &Pooling) -> Result<()> {
    let value = context.input(0);
    let output = context.allocate_output(0, pooling.output_shape())?;
    let count = output.num_elements();
    if count > 0 {
        let program = window_mean { image: value, output: &output, pool: pooling.pool()?, count: extent(count)? };
        program.launch(context.device()?, value.dtype(), window_mean::blocks(count))?;
    }
    context.set_output(0, output);
    Ok(())
}

/// `AvgPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPoolGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = shape_of(context.input(0), "orig_input_shape")?;
    let pooling = Pooling::of_attrs(context, &shape)?;
    spread(context, &pooling, shape)
}

/// `AvgPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(AvgPool3DGrad, device = GPU, T = [f16, bf16, f32], host_memory = [orig_input_shape])]
pub fn avg_pool3d_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = shape_of(context.input(0), "orig_input_shape")?;
    let pooling = Pooling::of_volumes(context, &shape)?;
    spread(context, &pooling, shape)
}

fn spread(context: &mut KernelContext<'_>, pooling: &Pooling, shape: Shape) -> Result<()> {
    let gradient = context.input(1);
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, shape)?;
    let count = output.num_elements();
    if count > 0 {
        let program = mean_gradient { gradient, output: &output, pool: pooling.pool()?, count: extent(count)? };
        program.launch(context.device()?, gradient.dtype(), mean_gradient::blocks(count))?;
    }
    context.set_output(0, output);
    Ok(())
}
