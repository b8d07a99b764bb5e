//! What kernels of every device compute of the shapes of images: extents, and where pixels of an output lie.

mod crop;
mod resize;

use oplink::prelude::*;

pub use crop::{CropImages, box_count, crop_gradients};
pub use resize::{Alignment, Between, ResizeExtents, first_after, nearest_gradient_shape};

/// The two extents that a vector of int32 holds, each above 0.
///
/// # Errors
/// Another shape, or an extent below 1.
pub fn two_extents(name: &str, size: &Tensor) -> Result<[usize; 2]> {
    ensure!(size.shape().dims() == [2], "{name} must have shape [2], its shape is {}", size.shape());
    let values = size.as_slice::<i32>()?;
    let extent = |value: i32| match usize::try_from(value) {
        Ok(value) if value > 0 => Ok(value),
        _ => bail!("{name} must be > 0, it is {values:?}"),
    };
    Ok([extent(values[0])?, extent(values[1])?])
}
