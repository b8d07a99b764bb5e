//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`: the largest value in each window of an image or a volume. A window without a
//! larger value gives the smallest finite one. NaN is passed over; in volumes, where it is the last value, it is the
//! largest.

use oplink::prelude::*;
use oplink_ops::nn::window::{PoolWindow, WindowAttrs};
use oplink_ops::{MaxPool, MaxPool3D, MaxPool3DAttrs, MaxPoolAttrs, MaxPoolV2, MaxPoolV2Attrs};

use super::super::extents::extent;
use super::layout::Pooling;
use super::programs::window_max;

/// `MaxPool` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool_gpu(input: &Tensor, attrs: MaxPoolAttrs<'_>, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let pooling = Pooling::of_images(&env.node().op.name, &attrs.into(), input.shape())?;
    pool(input, &pooling, false, output, env)
}

/// `MaxPoolV2` over images in either order of their axes. Its window does not move along channels.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPoolV2, device = GPU, T = [f16, bf16, f32], host_memory = [ksize, strides])]
pub fn max_pool_v2_gpu(
    input: &Tensor,
    ksize: &Tensor,
    strides: &Tensor,
    attrs: MaxPoolV2Attrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let op = &env.node().op.name;
    let [ksize, strides] = PoolWindow::numbers(op, [ksize, strides])?;
    let attrs = WindowAttrs { ksize: &ksize, strides: &strides, ..attrs.into() };
    pool(input, &Pooling::of_images(op, &attrs, input.shape())?, false, output, env)
}

/// `MaxPool3D` over volumes in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(MaxPool3D, device = GPU, T = [f16, bf16, f32])]
pub fn max_pool3d_gpu(input: &Tensor, attrs: MaxPool3DAttrs<'_>, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let pooling = Pooling::of_volumes(&env.node().op.name, &attrs.into(), input.shape())?;
    pool(input, &pooling, true, output, env)
}

fn pool(image: &Tensor, pooling: &Pooling, takes_nan: bool, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let output = output.allocate(pooling.output_shape())?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let program = window_max { image, output, pool: pooling.pool()?, takes_nan, count: extent(count)? };
    program.launch(env.device()?, image.dtype(), window_max::blocks(count))
}
