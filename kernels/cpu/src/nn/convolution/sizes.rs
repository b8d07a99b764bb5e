//! Shapes that gradients of convolutions and poolings get as inputs.

use oplink::int_values;
use oplink::prelude::*;

use super::geometry::Geometry;

/// The shape that a vector of integers holds.
///
/// # Errors
/// No vector, or a negative number.
pub(in super::super) fn shape_of(sizes: &Tensor, name: &str) -> Result<Shape> {
    ensure!(sizes.rank() == 1, "{name} must be a vector, its shape is {}", sizes.shape());
    let extents = int_values(sizes)?;
    ensure!(extents.iter().all(|&extent| extent >= 0), "{name} must be >= 0, they are {extents:?}");
    Ok(extents.into_iter().map(|extent| extent as usize).collect())
}

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
