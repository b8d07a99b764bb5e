//! Shapes that gradients of convolutions and poolings get as inputs.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

/// The shape that a vector of integers holds.
///
/// # Errors
/// No vector, or a negative number.
pub fn shape_of(sizes: &Tensor, name: &str) -> Result<Shape> {
    ensure!(sizes.rank() == 1, "{name} must be a vector, its shape is {}", sizes.shape());
    let extents = int_values(sizes)?;
    ensure!(extents.iter().all(|&extent| extent >= 0), "{name} must be >= 0, they are {extents:?}");
    Ok(extents.into_iter().map(|extent| extent as usize).collect())
}
