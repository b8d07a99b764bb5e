//! `MaxPoolGrad`, `MaxPoolGradV2` and `MaxPool3DGrad`, summed in f32.
//!
//! In images the gradient of each window goes to the first of its largest values; NaN is the largest where it comes first, and
//! is passed over otherwise. The largest values are found first; then each value sums the gradients of the windows whose
//! largest it is. In volumes the gradient goes to every value that is less than 1e-5 away from the largest.

use oplink::int_values;
use oplink::prelude::*;
use oplink_ops::{MaxPool3DGrad, MaxPoolGrad, MaxPoolGradV2};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::{argmax_gradient, equal_gradient, window_argmax};

/// `MaxPoolGrad` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGrad, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    spread(context, &pooling)
}

/// `MaxPoolGradV2` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolGradV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_grad_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(3))?, int_values(context.input(4))?);
    let pooling = Pooling::new(context, context.input(0).shape(), &ksize, &strides)?;
    spread(context, &pooling)
}

fn spread(context: &mut KernelContext<'_>, pooling: &Pooling) -> Result<()> {
    let (input, gradient) = (context.input(0), context.input(2));
    pooling.check_output(context.input(1), "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, input.shape().clone())?;
    let (count, windows) = (output.num_elements(), gradient.num_elements());
    if count > 0 {
        let (device, dtype, pool) = (context.device()?, input.dtype(), pooling.pool()?);
        let positions = device.allocate(DType::UInt32, gradient.shape().clone())?;
        if windows > 0 {
            let program = window_argmax { image: input, positions: &positions, pool, count: extent(windows)? };
            program.launch(device, dtype, window_argmax::blocks(windows))?;
        }
        let program = argmax_gradient { gradient, positions: &positions, output: &output, pool, count: extent(count)? };
        program.launch(device, dtype, argmax_gradient::blocks(count))?;
    }
    context.set_output(0, output);
    Ok(())
}

/// `MaxPool3DGrad` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3DGrad, device = GPU, T = [f16], TInput = [f16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [bf16], TInput = [bf16])]
#[kernel(MaxPool3DGrad, device = GPU, T = [f32], TInput = [f32])]
pub fn max_pool3d_grad_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (image, pooled, gradient) = (context.input(0), context.input(1), context.input(2));
    let pooling = Pooling::of_volumes(context, image.shape())?;
    pooling.check_output(pooled, "orig_output")?;
    pooling.check_output(gradient, "grad")?;
    let output = context.allocate_output(0, image.shape().clone())?;
    let count = output.num_elements();
    if count > 0 {
        let (pool, elements) = (pooling.pool()?, extent(count)?);
        let program = equal_gradient { image, pooled, gradient, output: &output, pool, count: elements };
        program.launch(context.device()?, gradient.dtype(), equal_gradient::blocks(count))?;
    }
    context.set_output(0, output);
    Ok(())
}
