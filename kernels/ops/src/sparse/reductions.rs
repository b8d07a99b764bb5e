//! Reductions of sparse tensors, of the values that there are.

use super::shapes::check_ranks;
use oplink::prelude::*;

/// Sums of the values of a sparse tensor along axes, dense.
///
/// `reduction_axes` count from the end where negative; without any, nothing is summed. With `keep_dims` they stay with
/// extent 1. Where there is no value, the sum is 0.
#[op("SparseReduceSum",
     input = "input_indices: int64",
     input = "input_values: T",
     input = "input_shape: int64",
     input = "reduction_axes: int32",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     shape = reduced_shape)]
pub struct SparseReduceSum;

/// The largest values of a sparse tensor along axes, dense; 0 where there is no value.
#[op("SparseReduceMax",
     no_gradient,
     input = "input_indices: int64",
     input = "input_values: T",
     input = "input_shape: int64",
     input = "reduction_axes: int32",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: realnumbertype",
     shape = reduced_shape)]
pub struct SparseReduceMax;

/// Sums of the values of a sparse tensor along axes, as a sparse tensor.
#[op("SparseReduceSumSparse",
     no_gradient,
     input = "input_indices: int64",
     input = "input_values: T",
     input = "input_shape: int64",
     input = "reduction_axes: int32",
     output = "output_indices: int64",
     output = "output_values: T",
     output = "output_shape: int64",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     shape = shape_fns::unknown)]
pub struct SparseReduceSumSparse;

/// The largest values of a sparse tensor along axes, as a sparse tensor.
#[op("SparseReduceMaxSparse",
     no_gradient,
     input = "input_indices: int64",
     input = "input_values: T",
     input = "input_shape: int64",
     input = "reduction_axes: int32",
     output = "output_indices: int64",
     output = "output_values: T",
     output = "output_shape: int64",
     attr = "keep_dims: bool = false",
     attr = "T: realnumbertype",
     shape = shape_fns::unknown)]
pub struct SparseReduceMaxSparse;

/// The shape without the axes, or with 1 in their place, where both are known.
fn reduced_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (Some(shape), Some(axes)) = (c.constant_ints(2)?, c.constant_ints(3)?) else { return Ok(()) };
    ensure!(!shape.is_empty(), "input_shape must have an element");
    let rank = shape.len() as i64;
    let axes: Vec<i64> = axes.iter().map(|axis| (axis + rank) % rank).collect();
    let keep: bool = c.attr("keep_dims")?;
    let extent = |(axis, &extent): (usize, &i64)| match axes.contains(&(axis as i64)) {
        false => Some(usize::try_from(extent).ok()),
        true => keep.then_some(Some(1)),
    };
    let shape: PartialShape = shape.iter().enumerate().filter_map(extent).collect();
    c.set_output(0, shape);
    Ok(())
}

/// The softmax of the values of each row, an axis being left out at the end.
///
/// Values come in row-major order, as `SparseReorder` gives them. What is left out takes no part.
#[op(
    "SparseSoftmax",
    input = "sp_indices: int64",
    input = "sp_values: T",
    input = "sp_shape: int64",
    output = "output: T",
    attr = "T: {half, float, double}"
)]
pub fn sparse_softmax(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c, 0)?;
    c.set_output(0, c.with_rank(1, 1)?);
    Ok(())
}
