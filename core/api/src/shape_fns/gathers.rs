//! Shape functions of gathers.

use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `Gather`: the shape of `indices`, then that of `params` without its first extent.
///
/// # Errors
/// `params` is a scalar.
pub fn gather(c: &mut ShapeContext<'_>) -> Result<()> {
    let params = c.with_rank_at_least(0, 1)?;
    let shape = c.concatenate(c.input(1), &c.subshape(&params, 1, None)?);
    c.set_output(0, shape);
    Ok(())
}

/// `GatherV2`: `params` with the extent at the axis in the scalar input 2 replaced by the shape of `indices` without
/// its first `batch_dims` extents (an attr; negative counts from the end).
///
/// # Errors
/// `params` is a scalar or has no such axis, `axis` is no scalar, or there are fewer dimensions than `batch_dims`.
pub fn gather_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let params = c.with_rank_at_least(0, 1)?;
    c.with_rank(2, 0)?;
    let batch_dims = c.attr::<i64>("batch_dims").unwrap_or(0);
    let shape = match (c.constant_int(2)?, params.rank()) {
        (None, rank) => unknown_axis(rank, c.input(1).rank(), batch_dims),
        (Some(axis), _) => along(c, &params, axis, batch_dims)?,
    };
    c.set_output(0, shape);
    Ok(())
}

fn unknown_axis(params: Option<usize>, indices: Option<usize>, batch_dims: i64) -> PartialShape {
    let (Some(params), Some(indices)) = (params, indices) else { return PartialShape::unknown() };
    let batch_dims = if batch_dims < 0 { batch_dims + indices as i64 } else { batch_dims };
    let rank = ((params + indices) as i64 - 1).saturating_sub(batch_dims);
    usize::try_from(rank).map_or(PartialShape::unknown(), PartialShape::unknown_of_rank)
}

fn along(c: &ShapeContext<'_>, params: &PartialShape, axis: i64, batch_dims: i64) -> Result<PartialShape> {
    let check = |min_rank: i64| match params.rank() {
        Some(rank) if (rank as i64) < min_rank => Err(shape_error(format!(
            "params of shape {params} have no axis {axis} after {batch_dims} batch dimensions"
        ))),
        _ => Ok(()),
    };
    check(if axis < 0 { axis.saturating_neg() } else { axis.saturating_add(1) })?;
    let indices = c.with_rank_at_least(1, batch_dims.unsigned_abs() as usize)?;
    let batch_dims = match (batch_dims, indices.rank()) {
        (..0, None) => return Ok(PartialShape::unknown()),
        _ if axis < 0 && params.rank().is_none() => return Ok(PartialShape::unknown()),
        (..0, Some(rank)) => batch_dims + rank as i64,
        _ => batch_dims,
    };
    check(batch_dims.saturating_add(1))?;
    let outer = c.subshape(params, 0, Some(axis))?;
    let inner = if axis == -1 { PartialShape::scalar() } else { c.subshape(params, axis + 1, None)? };
    let picked = c.subshape(&indices, batch_dims, None)?;
    Ok(c.concatenate(&c.concatenate(&outer, &picked), &inner))
}

/// `GatherNd`: the extents of `indices` but its last, then those of `params` after as many as that last extent.
///
/// # Errors
/// `indices` is a scalar, or its last extent exceeds the rank of `params`.
pub fn gather_nd(c: &mut ShapeContext<'_>) -> Result<()> {
    let indices = c.with_rank_at_least(1, 1)?;
    let depth = indices.rank().and_then(|rank| indices.dim(rank - 1));
    let (Some(rank), Some(depth)) = (c.input(0).rank(), depth) else { return Ok(()) };
    if depth > rank {
        return Err(shape_error(format!(
            "the last dimension of indices {indices} is the number of leading axes of params {} it picks from, at most {rank}",
            c.input(0)
        )));
    }
    let shape = c.concatenate(&c.subshape(&indices, 0, Some(-1))?, &c.subshape(c.input(0), depth as i64, None)?);
    c.set_output(0, shape);
    Ok(())
}
