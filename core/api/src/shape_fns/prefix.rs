//! Shapes that start with another one.

use crate::shape::Dim;
use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// The extents of `shape` behind those of `prefix`, with which it starts; unknown where a rank is.
///
/// # Errors
/// The shape does not start with the prefix.
pub fn without_prefix(c: &ShapeContext<'_>, shape: &PartialShape, prefix: &PartialShape) -> Result<PartialShape> {
    let (Some(own), Some(front)) = (shape.rank(), prefix.rank()) else { return Ok(PartialShape::unknown()) };
    if own < front {
        return Err(shape_error(format!("the shape {shape} must start with {prefix}")));
    }
    let head = c.subshape(shape, 0, Some(front as i64))?;
    merge_shapes(&head, prefix).map_err(|e| e.context(format!("the shape {shape} must start with {prefix}")))?;
    c.subshape(shape, front as i64, None)
}

/// The extent that a scalar integer input holds, where it is constant.
///
/// # Errors
/// A negative value.
pub fn size_of_scalar(c: &ShapeContext<'_>, index: usize) -> Result<Dim> {
    match c.constant_int(index)? {
        None => Ok(None),
        Some(size) if size < 0 => Err(shape_error(format!("input {} must be >= 0, it is {size}", c.input_name(index)))),
        Some(size) => Ok(Some(size as usize)),
    }
}
