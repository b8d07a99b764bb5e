//! The check of gradients of convolutions.

use oplink::prelude::*;

use super::geometry::Geometry;
pub(super) use oplink_ops::nn::window::shape_of;

/// Fails unless a gradient has the shape of the convolution's output.
pub(super) fn check_gradient(geometry: &Geometry, gradient: &Tensor) -> Result<()> {
    let expected = geometry.output_shape(gradient.rank().clamp(4, 5));
    ensure!(
        *gradient.shape() == expected,
        "out_backprop must have the shape of the convolution's output, {expected}, its shape is {}",
        gradient.shape()
    );
    Ok(())
}
