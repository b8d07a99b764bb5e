//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`: the largest value in each window of an image or a volume. A window without a larger
//! value gives the smallest finite one. NaN is passed over; in volumes, where it is the last value, it is the largest.

use oplink::int_values;
use oplink::prelude::*;
use oplink_ops::{MaxPool, MaxPool3D, MaxPoolV2};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::window_max;

/// `MaxPool` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_attrs(context, context.input(0).shape())?;
    pool(context, &pooling, false)
}

/// `MaxPoolV2` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(1))?, int_values(context.input(2))?);
    let pooling = Pooling::new(context, context.input(0).shape(), &ksize, &strides)?;
    pool(context, &pooling, false)
}

/// `MaxPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool3d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let pooling = Pooling::of_volumes(context, context.input(0).shape())?;
    pool(context, &pooling, true)
}

fn pool(context: &mut KernelContext<'_>, pooling: &Pooling, takes_nan: bool) -> Result<()> {
    let input = context.input(0);
    let output = context.allocate_output(0, pooling.output_shape())?;
    let count = output.num_elements();
    if count > 0 {
        let (pool, elements) = (pooling.pool()?, extent(count)?);
        let program = window_max { image: input, output: &output, pool, takes_nan, count: elements };
        program.launch(context.device()?, input.dtype(), window_max::blocks(count))?;
    }
    context.set_output(0, output);
    Ok(())
}
