//! Shape functions of reductions over segments, and of ops that share data out.

use super::prefix::without_prefix;
use crate::shape::Dim;
use crate::shape_inference::merge_shapes;
use crate::{PartialShape, Result, ShapeContext};

/// `SegmentSum` and its kin: rows of input 0 by the vector of segments in input 1; the number of segments is unknown.
///
/// # Errors
/// Input 0 is a scalar, or input 1 no vector.
pub fn segment_reduction(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let data = c.with_rank_at_least(0, 1)?;
    set_rows(c, None, &data, 1)
}

/// `SparseSegmentSum` and its kin: rows of input 0 picked by the vector input 1, by the vector of segments in input 2.
///
/// # Errors
/// Input 0 is a scalar, or the others are no vectors of one length.
pub fn sparse_segment_reduction(c: &mut ShapeContext<'_>) -> Result<()> {
    let data = c.with_rank_at_least(0, 1)?;
    merge_shapes(&c.with_rank(1, 1)?, &c.with_rank(2, 1)?)?;
    set_rows(c, None, &data, 1)
}

/// `UnsortedSegmentSum` and its kin: the scalar input 2 is the number of segments; input 1, whose shape input 0 starts
/// with, names one for each slice.
///
/// # Errors
/// Input 2 is no scalar or negative, or the shape of input 0 does not start with that of input 1.
pub fn unsorted_segment_reduction(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(2, 0)?;
    if c.input(1).rank().is_none() {
        return Ok(());
    }
    let rest = without_prefix(c, c.input(0), c.input(1))?;
    let count = super::size_of_scalar(c, 2)?;
    let shape = c.concatenate(&PartialShape::new(&[count]), &rest);
    c.set_output(0, shape);
    Ok(())
}

fn set_rows(c: &mut ShapeContext<'_>, rows: Dim, data: &PartialShape, from: i64) -> Result<()> {
    let rest = match data.rank() {
        Some(_) => c.subshape(data, from, None)?,
        None => PartialShape::unknown(),
    };
    let shape = c.concatenate(&PartialShape::new(&[rows]), &rest);
    c.set_output(0, shape);
    Ok(())
}
