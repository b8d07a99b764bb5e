//! Which axes a reduction is over.

use oplink::prelude::*;
use oplink::shape_inference::{few_ints, normalize_axis};
use smallvec::SmallVec;

/// Whether each axis of `shape` is among those that the tensor `axes`, in host memory, lists; and the shape of what is
/// left, where `keep_dims` leaves 1 in place of reduced axes.
///
/// # Errors
/// An axis that does not exist, or that is listed twice.
pub fn reduced_axes(shape: &Shape, axes: &Tensor, keep_dims: bool) -> Result<(SmallVec<[bool; 8]>, Shape)> {
    let mut marks: SmallVec<[bool; 8]> = SmallVec::from_elem(false, shape.rank());
    for axis in few_ints(axes)? {
        let axis = normalize_axis(axis, shape.rank()).map_err(|e| e.context("reading reduction_indices"))?;
        ensure!(!marks[axis], "reduction_indices names axis {axis} twice");
        marks[axis] = true;
    }
    let output = shape.iter().zip(&marks).filter_map(|(&extent, &reduced)| match (reduced, keep_dims) {
        (true, true) => Some(1),
        (true, false) => None,
        (false, _) => Some(extent),
    });
    let output = output.collect();
    Ok((marks, output))
}
