//! Sparse tensors with dense ones.

use oplink::prelude::*;
use smallvec::SmallVec;

use crate::movement::broadcast_strides;

/// A dense tensor with the values of a sparse one, `default_value` elsewhere.
///
/// `sparse_indices` is [count, rank], or a vector or scalar where the output is a vector; `sparse_values` has a value
/// for each, or one for all. With `validate_indices` they must rise in row-major order.
#[op(
    "SparseToDense",
    input = "sparse_indices: Tindices",
    input = "output_shape: Tindices",
    input = "sparse_values: T",
    input = "default_value: T",
    output = "dense: T",
    attr = "validate_indices: bool = true",
    attr = "T: type",
    attr = "Tindices: {int32, int64}"
)]
pub fn sparse_to_dense(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(1)?;
    c.set_output(0, shape);
    Ok(())
}

/// The sum of a sparse and a dense tensor of one shape, dense.
#[op(
    "SparseTensorDenseAdd",
    input = "a_indices: Tindices",
    input = "a_values: T",
    input = "a_shape: Tindices",
    input = "b: T",
    output = "output: T",
    attr = "T: numbertype",
    attr = "Tindices: {int32, int64}"
)]
pub fn sparse_tensor_dense_add(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(3).clone());
    Ok(())
}

/// The product of a sparse matrix and a dense one.
///
/// With `adjoint_a` or `adjoint_b` that matrix is transposed and conjugated first. Indices may be in any order, those
/// that are outside of `a_shape` are an error.
#[op(
    "SparseTensorDenseMatMul",
    input = "a_indices: Tindices",
    input = "a_values: T",
    input = "a_shape: int64",
    input = "b: T",
    output = "product: T",
    attr = "T: type",
    attr = "Tindices: {int32, int64} = DT_INT64",
    attr = "adjoint_a: bool = false",
    attr = "adjoint_b: bool = false"
)]
pub fn sparse_tensor_dense_mat_mul(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.with_rank(1, 1)?;
    let (adjoint_a, adjoint_b): (bool, bool) = (c.attr("adjoint_a")?, c.attr("adjoint_b")?);
    let (a, b) = (c.make_shape_from_tensor(2)?, c.with_rank(3, 2)?);
    ensure!(a.rank().is_none_or(|rank| rank == 2), "a_shape must have 2 elements, it is {a}");
    let turned = |shape: &PartialShape, turn: bool| if turn { [1, 0] } else { [0, 1] }.map(|axis| shape.dim(axis));
    let ([rows, inner], [own, columns]) = (turned(&a, adjoint_a), turned(&b, adjoint_b));
    c.merge_dim(inner, own)?;
    c.set_output(0, PartialShape::new(&[rows, columns]));
    Ok(())
}

/// Rows and columns of the left matrix, and columns of the product, of `SparseTensorDenseMatMul`.
///
/// # Errors
/// The shapes do not fit together.
pub fn product_extents(
    inputs: &SparseTensorDenseMatMulInputs<'_>,
    adjoint_a: bool,
    adjoint_b: bool,
) -> Result<[usize; 3]> {
    let (b, values, indices) = (inputs.b.shape(), inputs.a_values.shape(), inputs.a_indices.shape());
    let &[b_rows, b_columns] = b.dims() else { bail!("b must be a matrix, its shape is {b}") };
    let shape = crate::arguments::shape(&inputs.a_shape, "a_shape")?;
    ensure!(shape.rank() == 2, "a_shape must have 2 elements, it is {shape}");
    let count = values.num_elements();
    ensure!(values.rank() == 1, "a_values must be a vector, its shape is {values}");
    ensure!(indices.dims() == [count, 2], "a_indices must have the shape [{count},2], it has {indices}");
    let (rows, inner) = if adjoint_a { (shape[1], shape[0]) } else { (shape[0], shape[1]) };
    let (own, columns) = if adjoint_b { (b_columns, b_rows) } else { (b_rows, b_columns) };
    ensure!(inner == own, "a has {inner} columns and b {own} rows, they must be equal");
    Ok([rows, inner, columns])
}

/// The values of a sparse tensor, each with the element at its place of a dense one added.
///
/// `dense` is broadcast to `sp_shape`. What the sparse tensor leaves out stays out.
#[op("SparseDenseCwiseAdd",
     input = "sp_indices: int64",
     input = "sp_values: T",
     input = "sp_shape: int64",
     input = "dense: T",
     output = "output: T",
     attr = "T: numbertype",
     shape = cwise_shape)]
pub struct SparseDenseCwiseAdd;

/// The values of a sparse tensor, each multiplied by the element at its place of a dense one.
///
/// `dense` is broadcast to `sp_shape`. What the sparse tensor leaves out stays out.
#[op("SparseDenseCwiseMul",
     input = "sp_indices: int64",
     input = "sp_values: T",
     input = "sp_shape: int64",
     input = "dense: T",
     output = "output: T",
     attr = "T: numbertype",
     shape = cwise_shape)]
pub struct SparseDenseCwiseMul;

/// The values of a sparse tensor, each divided by the element at its place of a dense one.
///
/// `dense` is broadcast to `sp_shape`. Integers are truncated towards zero; dividing them by 0 is an error.
#[op("SparseDenseCwiseDiv",
     input = "sp_indices: int64",
     input = "sp_values: T",
     input = "sp_shape: int64",
     input = "dense: T",
     output = "output: T",
     attr = "T: numbertype",
     shape = cwise_shape)]
pub struct SparseDenseCwiseDiv;

/// A vector of as many elements as there are indices.
fn cwise_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let indices = c.with_rank(0, 2)?;
    c.set_output(0, PartialShape::new(&[indices.dim(0)]));
    Ok(())
}

/// The strides, by axes of the sparse shape, of a dense tensor that is broadcast to it: 0 where it is repeated.
///
/// # Errors
/// The dense tensor has more axes or larger extents, or its shape does not broadcast.
pub fn dense_strides(sparse: &Shape, dense: &Shape) -> Result<SmallVec<[isize; 6]>> {
    let added = sparse.rank().checked_sub(dense.rank());
    let fits = added.is_some_and(|added| {
        dense.iter().zip(&sparse[added..]).all(|(&own, &extent)| own == extent || (own == 1 && extent > 0))
    });
    ensure!(fits, "dense of shape {dense} does not broadcast to sp_shape {sparse}");
    Ok(broadcast_strides(dense, sparse))
}
