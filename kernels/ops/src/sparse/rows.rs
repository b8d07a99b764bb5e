//! Rows of sparse tensors: those without a value filled, and what training sends back.

use super::shapes::check_sparse;
use oplink::prelude::*;

/// A sparse tensor with `default_value` in the first column of each row that had no value.
///
/// `empty_row_indicator` says which rows had none, `reverse_index_map` where each value went. Values of one row stay in
/// their order, rows come in theirs.
#[op(
    "SparseFillEmptyRows",
    input = "indices: int64",
    input = "values: T",
    input = "dense_shape: int64",
    input = "default_value: T",
    output = "output_indices: int64",
    output = "output_values: T",
    output = "empty_row_indicator: bool",
    output = "reverse_index_map: int64",
    attr = "T: type"
)]
pub fn sparse_fill_empty_rows(c: &mut ShapeContext<'_>) -> Result<()> {
    check_sparse(c, 0)?;
    c.with_rank(3, 0)?;
    let rows = match c.constant_ints(2)? {
        Some(shape) => shape.first().and_then(|&rows| usize::try_from(rows).ok()),
        None => None,
    };
    let count = c.input(0).dim(0).or(c.input(1).dim(0));
    c.set_output(0, PartialShape::new(&[None, c.input(2).dim(0)]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[rows]));
    c.set_output(3, PartialShape::new(&[count]));
    Ok(())
}

/// The gradient of `SparseFillEmptyRows` by the values and by the default.
#[op("SparseFillEmptyRowsGrad",
     no_gradient,
     input = "reverse_index_map: int64",
     input = "grad_values: T",
     output = "d_values: T",
     output = "d_default_value: T",
     attr = "T: type",
     shape = gradient_shape)]
pub struct SparseFillEmptyRowsGrad;

/// The values of a ragged matrix with `default_value` in each row that had none.
///
/// `value_rowids` has the row of each value, of `nrows`. `empty_row_indicator` says which rows had none,
/// `reverse_index_map` where each value went. Values of one row stay in their order, rows come in theirs.
#[op(
    "RaggedFillEmptyRows",
    input = "value_rowids: int64",
    input = "values: T",
    input = "nrows: int64",
    input = "default_value: T",
    output = "output_value_rowids: int64",
    output = "output_values: T",
    output = "empty_row_indicator: bool",
    output = "reverse_index_map: int64",
    attr = "T: type"
)]
pub fn ragged_fill_empty_rows(c: &mut ShapeContext<'_>) -> Result<()> {
    let (rows, values) = (c.with_rank(0, 1)?, c.with_rank(1, 1)?);
    c.with_rank(2, 0)?;
    c.with_rank(3, 0)?;
    let count = c.merge_dim(rows.dim(0), values.dim(0))?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[None]));
    c.set_output(3, PartialShape::new(&[count]));
    Ok(())
}

/// The gradient of `RaggedFillEmptyRows` by the values and by the default.
#[op("RaggedFillEmptyRowsGrad",
     no_gradient,
     input = "reverse_index_map: int64",
     input = "grad_values: T",
     output = "d_values: T",
     output = "d_default_value: T",
     attr = "T: type",
     shape = gradient_shape)]
pub struct RaggedFillEmptyRowsGrad;

/// As many values as the map has, and a scalar.
fn gradient_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let map = c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    c.set_output(0, map);
    c.set_output(1, PartialShape::scalar());
    Ok(())
}
