//! Sums and extrema of two sparse tensors.

use super::shapes::{any_vector, check_ranks, set_sparse};
use oplink::prelude::*;

/// The sum of two sparse tensors of one shape, indices in row-major order.
///
/// Values of both sides that sum to a magnitude below `thresh`, which has the dtype of magnitudes, are left out.
#[op(
    "SparseAdd",
    input = "a_indices: int64",
    input = "a_values: T",
    input = "a_shape: int64",
    input = "b_indices: int64",
    input = "b_values: T",
    input = "b_shape: int64",
    input = "thresh: Treal",
    output = "sum_indices: int64",
    output = "sum_values: T",
    output = "sum_shape: int64",
    attr = "T: numbertype",
    attr = "Treal: realnumbertype"
)]
pub fn sparse_add(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank(2, 1)?;
    set_sparse(c, shape.dim(0));
    c.set_output(2, shape);
    Ok(())
}

/// The gradient of `SparseAdd` by the values of both sides: that of the sum at their places, 0 where it has none.
#[op(
    "SparseAddGrad",
    no_gradient,
    input = "backprop_val_grad: T",
    input = "a_indices: int64",
    input = "b_indices: int64",
    input = "sum_indices: int64",
    output = "a_val_grad: T",
    output = "b_val_grad: T",
    attr = "T: numbertype"
)]
pub fn sparse_add_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (c.with_rank(1, 2)?, c.with_rank(2, 2)?);
    c.set_output(0, PartialShape::new(&[a.dim(0)]));
    c.set_output(1, PartialShape::new(&[b.dim(0)]));
    Ok(())
}

/// The larger values of two sparse tensors of one shape, 0 standing where one side has none.
#[op("SparseSparseMaximum",
     input = "a_indices: int64",
     input = "a_values: T",
     input = "a_shape: int64",
     input = "b_indices: int64",
     input = "b_values: T",
     input = "b_shape: int64",
     output = "output_indices: int64",
     output = "output_values: T",
     attr = "T: realnumbertype",
     shape = union_shape)]
pub struct SparseSparseMaximum;

/// The smaller values of two sparse tensors of one shape, 0 standing where one side has none.
#[op("SparseSparseMinimum",
     input = "a_indices: int64",
     input = "a_values: T",
     input = "a_shape: int64",
     input = "b_indices: int64",
     input = "b_values: T",
     input = "b_shape: int64",
     output = "output_indices: int64",
     output = "output_values: T",
     attr = "T: numbertype",
     shape = union_shape)]
pub struct SparseSparseMinimum;

fn union_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c, 0)?;
    check_ranks(c, 3)?;
    c.set_output(0, PartialShape::new(&[None, None]));
    c.set_output(1, any_vector());
    Ok(())
}
