//! Shape functions of ops that join tensors or take them apart.

use super::dims::{add, divide_evenly};
use crate::shape::Dim;
use crate::shape_inference::{merge_shapes, normalize_axis, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `Concat` and `ConcatV2`: the inputs `values` joined along the axis in the scalar input `concat_dim` or `axis`.
///
/// # Errors
/// The axis is no scalar or outside of the rank, or the shapes differ in another axis or in their rank.
pub fn concat(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis_index = c.input_index("axis").or_else(|_| c.input_index("concat_dim"))?;
    c.with_rank(axis_index, 0)?;
    let values = c.input_list("values")?;
    let shape = match c.constant_int(axis_index)? {
        Some(axis) => concat_along(c, values, axis)?,
        None => concat_somewhere(values)?,
    };
    c.set_output(0, shape);
    Ok(())
}

fn concat_along(c: &ShapeContext<'_>, values: &[PartialShape], axis: i64) -> Result<PartialShape> {
    let min_rank = if axis < 0 { axis.unsigned_abs() } else { axis as u64 + 1 } as usize;
    let (mut before, mut after) = (PartialShape::unknown(), PartialShape::unknown());
    let mut along: Dim = Some(0);
    for shape in values.iter().rev() {
        if shape.rank().is_some_and(|rank| rank < min_rank) {
            return Err(shape_error(format!(
                "shape {shape} must have rank at least {min_rank} to be joined along axis {axis}"
            )));
        }
        let rest = if axis == -1 { PartialShape::scalar() } else { c.subshape(shape, axis + 1, None)? };
        before = merge_shapes(&c.subshape(shape, 0, Some(axis))?, &before)?;
        after = merge_shapes(&rest, &after)?;
        along = add(along, shape.rank().and_then(|rank| shape.dim(normalize_axis(axis, rank).ok()?)))?;
    }
    let head = c.concatenate(&before, &PartialShape::new(&[along]));
    Ok(c.concatenate(&head, &after))
}

/// With an axis that is not known, only the rank is.
fn concat_somewhere(values: &[PartialShape]) -> Result<PartialShape> {
    let ranks = || values.iter().filter_map(PartialShape::rank);
    match ranks().next() {
        None => Ok(PartialShape::unknown()),
        Some(0) => Err(shape_error("scalars cannot be concatenated; pack them instead")),
        Some(rank) if ranks().all(|r| r == rank) => Ok(PartialShape::unknown_of_rank(rank)),
        Some(_) => Err(shape_error(format!("the shapes {values:?} must be of one rank to be concatenated"))),
    }
}

/// `Pack`: inputs of one shape, stacked along the new axis of the attr `axis`.
///
/// # Errors
/// The shapes differ, or the axis is outside of the rank.
pub fn pack(c: &mut ShapeContext<'_>) -> Result<()> {
    let values = c.input_list("values")?;
    let shape = values.iter().rev().try_fold(PartialShape::unknown(), |merged, s| merge_shapes(s, &merged))?;
    let Some(dims) = shape.dims() else { return Ok(()) };
    let axis = attr_axis(c, dims.len() + 1)?;
    let mut out = dims.to_vec();
    out.insert(axis, Some(values.len()));
    c.set_output(0, PartialShape::new(&out));
    Ok(())
}

/// `Unpack`: the input taken apart along the attr `axis`, whose extent is the number of outputs.
///
/// # Errors
/// The axis is outside of the rank, or its extent is not the number of outputs.
pub fn unpack(c: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = c.input(0).dims() else { return Ok(()) };
    let axis = attr_axis(c, dims.len())?;
    c.merge_dim(dims[axis], Some(c.num_outputs()))?;
    let mut out = dims.to_vec();
    out.remove(axis);
    let shape = PartialShape::new(&out);
    (0..c.num_outputs()).for_each(|i| c.set_output(i, shape.clone()));
    Ok(())
}

fn attr_axis(c: &ShapeContext<'_>, rank: usize) -> Result<usize> {
    normalize_axis(c.attr("axis")?, rank).map_err(|e| shape_error(format!("invalid axis: {}", e.message())))
}

/// `Split`: input 1 in equal parts, one an output, along the axis in the scalar input 0.
///
/// # Errors
/// The axis is no scalar or outside of the rank, or its extent is no multiple of the number of outputs.
pub fn split(c: &mut ShapeContext<'_>) -> Result<()> {
    let parts = c.num_outputs();
    let out = match split_axis(c, 0, 1)? {
        None => c.input(1).rank().map_or(PartialShape::unknown(), PartialShape::unknown_of_rank),
        Some(axis) => {
            let input = c.with_rank_at_least(1, axis + 1)?;
            replace_dim(&input, axis, divide_evenly(input.dim(axis), parts)?)
        }
    };
    (0..parts).for_each(|i| c.set_output(i, out.clone()));
    Ok(())
}

/// `SplitV`: input 0 in parts of the extents in input 1 (one may be -1, the rest) along the axis in the scalar input 2.
///
/// # Errors
/// The axis is no scalar or outside of the rank, the input is a scalar, or the sizes do not add up to the extent.
pub fn split_v(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis = split_axis(c, 2, 0)?;
    let Some(rank) = c.input(0).rank() else { return Ok(()) };
    if rank == 0 {
        return Err(shape_error("scalars cannot be split"));
    }
    for index in 0..c.num_outputs() {
        let shape = match (axis, c.constant_ints(1)?) {
            (None, _) => PartialShape::unknown_of_rank(rank),
            (Some(axis), None) => replace_dim(c.input(0), axis, None),
            (Some(axis), Some(sizes)) => {
                let sizes = split_sizes(&sizes, c.num_outputs(), c.input(0).dim(axis))?;
                replace_dim(c.input(0), axis, sizes[index])
            }
        };
        c.set_output(index, shape);
    }
    Ok(())
}

/// The extents of the parts of an axis of extent `total`, where -1 at most once stands for the rest.
fn split_sizes(sizes: &[i64], parts: usize, total: Dim) -> Result<Vec<Dim>> {
    if sizes.len() != parts {
        return Err(shape_error(format!("size_splits has {} elements for {parts} outputs", sizes.len())));
    }
    let rests = sizes.iter().filter(|&&size| size == -1).count();
    let given: i64 = sizes.iter().filter(|&&size| size != -1).sum();
    if rests > 1 || sizes.iter().any(|&size| size < -1) {
        return Err(shape_error(format!("size_splits {sizes:?} must be >= 0, with -1 at most once")));
    }
    let rest = total.map(|total| total as i64 - given);
    match rest {
        Some(rest) if rest < 0 || (rests == 0 && rest != 0) => {
            Err(shape_error(format!("an axis of extent {} cannot be split into {sizes:?}", total.unwrap_or(0))))
        }
        _ => {
            let size = |&size: &i64| if size == -1 { rest } else { Some(size) };
            Ok(sizes.iter().map(|s| size(s).map(|s| s as usize)).collect())
        }
    }
}

/// The axis in a scalar input, where it is constant and its meaning known; an error where it is outside the rank.
fn split_axis(c: &ShapeContext<'_>, index: usize, input: usize) -> Result<Option<usize>> {
    c.with_rank(index, 0)?;
    match (c.constant_int(index)?, c.input(input).rank()) {
        (None, _) => Ok(None),
        (Some(axis), Some(rank)) => normalize_axis(axis, rank).map(Some).map_err(|e| shape_error(e.message())),
        (Some(axis), None) => Ok(usize::try_from(axis).ok()),
    }
}

/// The shape with one extent replaced; unknown where its rank is.
pub(super) fn replace_dim(shape: &PartialShape, axis: usize, dim: Dim) -> PartialShape {
    let Some(dims) = shape.dims() else { return PartialShape::unknown() };
    dims.iter().enumerate().map(|(i, &d)| if i == axis { dim } else { d }).collect()
}
