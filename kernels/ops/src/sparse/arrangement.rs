//! Sparse tensors in another order, another shape, joined, split and cut.

use super::shapes::{any_vector, check_ranks, num_elements};
use oplink::prelude::*;

/// A sparse tensor with its indices in row-major order.
#[op(
    "SparseReorder",
    input = "input_indices: int64",
    input = "input_values: T",
    input = "input_shape: int64",
    output = "output_indices: int64",
    output = "output_values: T",
    attr = "T: type"
)]
pub fn sparse_reorder(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c, 0)?;
    c.set_output(0, c.with_rank(0, 2)?);
    c.set_output(1, c.with_rank(1, 1)?);
    Ok(())
}

/// The indices of a sparse tensor in another dense shape of as many elements.
///
/// One extent of `new_shape` may be -1, for what the others leave. The order of the values stays.
#[op(
    "SparseReshape",
    no_gradient,
    input = "input_indices: int64",
    input = "input_shape: int64",
    input = "new_shape: int64",
    output = "output_indices: int64",
    output = "output_shape: int64"
)]
pub fn sparse_reshape(c: &mut ShapeContext<'_>) -> Result<()> {
    let indices = c.with_rank(0, 2)?;
    c.with_rank(1, 1)?;
    let shape = c.with_rank(2, 1)?;
    c.set_output(0, PartialShape::new(&[indices.dim(0), shape.dim(0)]));
    c.set_output(1, shape);
    Ok(())
}

/// Sparse tensors joined along an axis.
///
/// All shapes are equal but for `concat_dim` (negative counts from the end). The values come in row-major order.
#[op(
    "SparseConcat",
    no_gradient,
    input = "indices: N * int64",
    input = "values: N * T",
    input = "shapes: N * int64",
    output = "output_indices: int64",
    output = "output_values: T",
    output = "output_shape: int64",
    attr = "concat_dim: int",
    attr = "N: int >= 2",
    attr = "T: type"
)]
pub fn sparse_concat(c: &mut ShapeContext<'_>) -> Result<()> {
    let count = c.num_inputs() / 3;
    let (mut values, mut rank, mut shape) = (Some(0_usize), None, PartialShape::unknown());
    for at in 0..count {
        let (indices, own) = (c.with_rank(at, 2)?, c.with_rank(at + count, 1)?);
        let own_count = c.merge_dim(indices.dim(0), own.dim(0))?;
        values = values.zip(own_count).and_then(|(sum, count)| sum.checked_add(count));
        rank = c.merge_dim(rank, indices.dim(1))?;
        shape = c.merge(&shape, &c.with_rank(at + 2 * count, 1)?)?;
    }
    c.set_output(0, PartialShape::new(&[values, rank]));
    c.set_output(1, PartialShape::new(&[values]));
    c.set_output(2, shape);
    Ok(())
}

/// A sparse tensor in `num_split` parts along an axis.
///
/// Where the extent is no multiple of `num_split`, the first parts are longer by one. The order of the values stays.
#[op(
    "SparseSplit",
    no_gradient,
    input = "split_dim: int64",
    input = "indices: int64",
    input = "values: T",
    input = "shape: int64",
    output = "output_indices: num_split * int64",
    output = "output_values: num_split * T",
    output = "output_shape: num_split * int64",
    attr = "num_split: int >= 1",
    attr = "T: type"
)]
pub fn sparse_split(c: &mut ShapeContext<'_>) -> Result<()> {
    let (shape, parts) = (c.input(3).clone(), c.num_outputs() / 3);
    let indices = PartialShape::new(&[None, num_elements(&shape)]);
    for at in 0..parts {
        c.set_output(at, indices.clone());
        c.set_output(at + parts, any_vector());
        c.set_output(at + 2 * parts, shape.clone());
    }
    Ok(())
}

/// The part of a sparse tensor from `start` on, of extents `size` at most.
#[op(
    "SparseSlice",
    input = "indices: int64",
    input = "values: T",
    input = "shape: int64",
    input = "start: int64",
    input = "size: int64",
    output = "output_indices: int64",
    output = "output_values: T",
    output = "output_shape: int64",
    attr = "T: type"
)]
pub fn sparse_slice(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(2).clone();
    c.set_output(0, PartialShape::new(&[None, num_elements(&shape)]));
    c.set_output(1, any_vector());
    c.set_output(2, shape);
    Ok(())
}

/// The gradient of `SparseSlice` by the values: those of the slice where they came from, 0 elsewhere.
#[op(
    "SparseSliceGrad",
    no_gradient,
    input = "backprop_val_grad: T",
    input = "input_indices: int64",
    input = "input_start: int64",
    input = "output_indices: int64",
    output = "val_grad: T",
    attr = "T: numbertype"
)]
pub fn sparse_slice_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let indices = c.with_rank(1, 2)?;
    c.set_output(0, PartialShape::new(&[indices.dim(0)]));
    Ok(())
}
