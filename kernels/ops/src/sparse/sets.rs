//! Sets: the distinct values along the last axis of dense and sparse tensors.

use super::shapes::{check_sparse, set_sparse};
use oplink::prelude::*;

/// The numbers of distinct values along the last axis of a sparse tensor, dense.
#[op("SetSize",
     no_gradient,
     input = "set_indices: int64",
     input = "set_values: T",
     input = "set_shape: int64",
     output = "size: int32",
     attr = "validate_indices: bool = true",
     attr = "T: {int8, int16, int32, int64, uint8, uint16, string}",
     shape = shape_fns::unknown)]
pub struct SetSize;

/// The sets that `set_operation` makes of the sets along the last axes of two dense tensors, as a sparse tensor.
///
/// `set_operation` is `a-b`, `b-a`, `intersection` or `union`, in letters of either case. All axes but the last are
/// equal; the values of each set come in order.
#[op(
    "DenseToDenseSetOperation",
    no_gradient,
    input = "set1: T",
    input = "set2: T",
    output = "result_indices: int64",
    output = "result_values: T",
    output = "result_shape: int64",
    attr = "set_operation: string",
    attr = "validate_indices: bool = true",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, string}"
)]
pub fn dense_to_dense_set_operation(c: &mut ShapeContext<'_>) -> Result<()> {
    let rank = match c.with_rank_at_least(0, 2)?.rank() {
        None => c.with_rank_at_least(1, 2)?.rank(),
        Some(rank) => {
            let second = c.with_rank(1, rank)?;
            let last = Some(rank as i64 - 1);
            if second.rank().is_some() {
                c.merge(&c.subshape(c.input(0), 0, last)?, &c.subshape(&second, 0, last)?)?;
            }
            Some(rank)
        }
    };
    set_sparse(c, rank);
    Ok(())
}

/// As `DenseToDenseSetOperation`, of a dense and a sparse tensor.
///
/// The indices of the sparse one are in row-major order; with `validate_indices` it is an error where they are not.
#[op(
    "DenseToSparseSetOperation",
    no_gradient,
    input = "set1: T",
    input = "set2_indices: int64",
    input = "set2_values: T",
    input = "set2_shape: int64",
    output = "result_indices: int64",
    output = "result_values: T",
    output = "result_shape: int64",
    attr = "set_operation: string",
    attr = "validate_indices: bool = true",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, string}"
)]
pub fn dense_to_sparse_set_operation(c: &mut ShapeContext<'_>) -> Result<()> {
    check_sparse(c, 1)?;
    let (own, dense) = (c.with_rank(3, 1)?.dim(0), c.with_rank_at_least(0, 2)?);
    let rank = match dense.rank() {
        Some(rank) => c.merge_dim(own, Some(rank))?,
        None => own,
    };
    set_sparse(c, rank);
    Ok(())
}

/// As `DenseToDenseSetOperation`, of two sparse tensors.
#[op(
    "SparseToSparseSetOperation",
    no_gradient,
    input = "set1_indices: int64",
    input = "set1_values: T",
    input = "set1_shape: int64",
    input = "set2_indices: int64",
    input = "set2_values: T",
    input = "set2_shape: int64",
    output = "result_indices: int64",
    output = "result_values: T",
    output = "result_shape: int64",
    attr = "set_operation: string",
    attr = "validate_indices: bool = true",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, string}"
)]
pub fn sparse_to_sparse_set_operation(c: &mut ShapeContext<'_>) -> Result<()> {
    check_sparse(c, 0)?;
    check_sparse(c, 3)?;
    let rank = c.merge_dim(c.with_rank(2, 1)?.dim(0), c.with_rank(5, 1)?.dim(0))?;
    ensure!(rank.is_none_or(|rank| rank >= 2), "set1_shape must have 2 extents at least");
    set_sparse(c, rank);
    Ok(())
}

/// What is made of two sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOperation {
    /// What is in the first and not in the second.
    Difference,
    /// What is in the second and not in the first.
    ReverseDifference,
    /// What is in both.
    Intersection,
    /// What is in either.
    Union,
}

impl SetOperation {
    /// The operation of a name in letters of either case.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "a-b" => Self::Difference,
            "b-a" => Self::ReverseDifference,
            "intersection" => Self::Intersection,
            "union" => Self::Union,
            _ => bail!("set_operation must be a-b, b-a, intersection or union, it is {name:?}"),
        })
    }
}
