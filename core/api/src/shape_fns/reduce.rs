//! Shape functions of reductions.

use crate::shape_inference::{normalize_axis, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// Reduces input 0 over the axes in input 1 (a scalar or a vector, negative axes count from the end); with the attr
/// `keep_dims` the reduced axes stay with extent 1. Every output has that shape.
///
/// # Errors
/// Input 1 is neither a scalar nor a vector, or holds what is no axis.
pub fn reduction(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank_at_most(1, 1)?;
    let keep_dims = c.attr::<bool>("keep_dims").unwrap_or(false);
    let shape = match (c.input(0).rank(), c.constant_ints(1)?) {
        (Some(rank), Some(axes)) => reduced(c.input(0), &mark_axes(&axes, rank)?, keep_dims),
        (Some(rank), None) if keep_dims => PartialShape::unknown_of_rank(rank),
        _ => PartialShape::unknown(),
    };
    (0..c.num_outputs()).for_each(|i| c.set_output(i, shape.clone()));
    Ok(())
}

/// `ArgMax` and `ArgMin`: input 0 without the axis in the scalar input 1.
///
/// # Errors
/// Input 1 is no scalar, or no axis.
pub fn arg_reduction(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    let shape = match c.input(0).rank() {
        None => PartialShape::unknown(),
        Some(0 | 1) => PartialShape::scalar(),
        Some(rank) => match c.constant_int(1)? {
            None => PartialShape::unknown_of_rank(rank - 1),
            Some(axis) => {
                let axis = normalize_axis(axis, rank).map_err(|e| shape_error(e.message()))?;
                reduced(c.input(0), &mark_axes(&[axis as i64], rank)?, false)
            }
        },
    };
    c.set_output(0, shape);
    Ok(())
}

/// Which axes of a rank are reduced.
fn mark_axes(axes: &[i64], rank: usize) -> Result<Vec<bool>> {
    let mut marks = vec![false; rank];
    for &axis in axes {
        let axis = normalize_axis(axis, rank)
            .map_err(|e| shape_error(format!("invalid reduction dimension: {}", e.message())))?;
        marks[axis] = true;
    }
    Ok(marks)
}

fn reduced(shape: &PartialShape, marks: &[bool], keep_dims: bool) -> PartialShape {
    let dims = shape.dims().unwrap_or_default().iter().zip(marks);
    dims.filter_map(|(&dim, &reduce)| match (reduce, keep_dims) {
        (true, true) => Some(Some(1)),
        (true, false) => None,
        (false, _) => Some(dim),
    })
    .collect()
}
