//! The shape function of `Slice`.

use super::dims::subtract;
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `Slice`: the extents in the vector input 2, where -1 is what remains after the offset in the vector input 1.
///
/// # Errors
/// Inputs 1 and 2 are no vectors with an element for each axis, an offset is beyond the extent, or a size is below -1.
pub fn slice(c: &mut ShapeContext<'_>) -> Result<()> {
    let (begin_shape, size_shape) = (c.with_rank(1, 1)?, c.with_rank(2, 1)?);
    let mut rank = c.merge_dim(begin_shape.dim(0), size_shape.dim(0))?;
    rank = rank.or(c.input(0).rank());
    let Some(rank) = rank else { return Ok(()) };
    let input = c.with_rank(0, rank)?;
    // An offset of -1 counts as unknown, as in a shape.
    let begin = c.make_shape_from_tensor(1)?;
    let shape = match c.constant_ints(2)? {
        Some(sizes) => {
            (0..rank).map(|axis| sliced(input.dim(axis), begin.dim(axis), sizes[axis])).collect::<Result<_>>()?
        }
        None => c.merge(&c.make_shape_from_tensor(2)?, &PartialShape::unknown_of_rank(rank))?,
    };
    c.set_output(0, shape);
    Ok(())
}

fn sliced(dim: Dim, begin: Dim, size: i64) -> Result<Dim> {
    match (begin, size) {
        (Some(_), -1) => subtract(dim, begin),
        (None, -1) => Ok(None),
        (_, ..-1) => Err(shape_error(format!("size must be >= 0, or -1 for the rest, it is {size}"))),
        _ => Ok(Some(size as usize)),
    }
}
