//! Shape functions of scatters.

use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `ScatterNd`: the shape in input 2; `indices` is input 0, `updates` input 1.
///
/// # Errors
/// Input 2 is no shape, `indices` or `updates` is a scalar, or [`check_scatter_nd`] fails.
pub fn scatter_nd(c: &mut ShapeContext<'_>) -> Result<()> {
    let (indices, updates) = (c.with_rank_at_least(0, 1)?, c.with_rank_at_least(1, 1)?);
    let shape = c.make_shape_from_tensor(2)?;
    check_scatter_nd(c, &shape, &indices, &updates)?;
    c.set_output(0, shape);
    Ok(())
}

/// Scatters into a tensor: the shape of input 0; `indices` is input 1, `updates` input 2.
///
/// # Errors
/// The tensor or `indices` is a scalar, or [`check_scatter_nd`] fails.
pub fn scatter_nd_update(c: &mut ShapeContext<'_>) -> Result<()> {
    let (shape, indices) = (c.with_rank_at_least(0, 1)?, c.with_rank_at_least(1, 1)?);
    check_scatter_nd(c, &shape, &indices, c.input(2))?;
    c.set_output(0, shape);
    Ok(())
}

/// An error unless `updates` can have the shape `indices[:-1] + tensor[indices.shape[-1]:]`, `indices` being at least
/// vectors.
///
/// # Errors
/// `updates` have another shape, `indices` is a scalar, or there is something to write to a tensor without elements.
pub fn check_scatter_nd(
    c: &ShapeContext<'_>,
    tensor: &PartialShape,
    indices: &PartialShape,
    updates: &PartialShape,
) -> Result<()> {
    let nonempty = |shape: &PartialShape| shape.num_elements().is_some_and(|count| count > 0);
    let empty = tensor.dims().is_some_and(|dims| dims.contains(&Some(0)));
    if empty && tensor.is_fully_known() && (nonempty(indices) || nonempty(updates)) {
        return Err(shape_error(format!(
            "indices and updates are given for the shape {tensor}, which has no elements"
        )));
    }
    let (Some(rank), Some(1..)) = (indices.rank(), updates.rank()) else { return Ok(()) };
    if rank == 0 {
        return Err(shape_error("indices must be at least a vector, it is a scalar".to_owned()));
    }
    let outer = rank as i64 - 1;
    let Some(depth) = indices.dim(rank - 1) else { return Ok(()) };
    merge_shapes(&c.subshape(indices, 0, Some(outer))?, &c.subshape(updates, 0, Some(outer))?)?;
    merge_shapes(&c.subshape(tensor, depth as i64, None)?, &c.subshape(updates, outer, None)?)?;
    Ok(())
}
