//! `SparseCross`, `SparseCrossV2`, `SparseCrossHashed`, `RaggedCross`: the crosses of the features of each row, as
//! strings or as hashes.
//!
//! A row of one column is a set of features, strings or integers. A cross takes one feature of each column: there are
//! as many of a row as the product of the numbers of its features, the last column running fastest. As a string it is
//! the features with a separator between them. As a hash it combines those of the features, FarmHash's `Fingerprint64`,
//! and is the remainder by `num_buckets`, or without buckets by the largest int64.

use oplink::prelude::*;

/// Crosses of sparse and dense matrices, separated by `_X_`.
///
/// Columns are the sparse tensors in their order and then the dense ones. The hash starts with `hash_key`; integers
/// stand for their own hash. With `internal_type` string only strings can be crossed as strings.
#[op("SparseCross",
     no_gradient,
     input = "indices: N * int64",
     input = "values: sparse_types",
     input = "shapes: N * int64",
     input = "dense_inputs: dense_types",
     output = "output_indices: int64",
     output = "output_values: out_type",
     output = "output_shape: int64",
     attr = "N: int >= 0",
     attr = "hashed_output: bool",
     attr = "num_buckets: int >= 0",
     attr = "hash_key: int",
     attr = "sparse_types: list({int64, string}) >= 0",
     attr = "dense_types: list({int64, string}) >= 0",
     attr = "out_type: {int64, string}",
     attr = "internal_type: {int64, string}",
     unused_attr = "internal_type",
     shape = sparse_cross_shape)]
pub struct SparseCross;

/// Crosses of sparse and dense matrices as strings, separated by `sep`.
#[op("SparseCrossV2",
     no_gradient,
     input = "indices: N * int64",
     input = "values: sparse_types",
     input = "shapes: N * int64",
     input = "dense_inputs: dense_types",
     input = "sep: string",
     output = "output_indices: int64",
     output = "output_values: string",
     output = "output_shape: int64",
     attr = "N: int >= 0",
     attr = "sparse_types: list({int64, string}) >= 0",
     attr = "dense_types: list({int64, string}) >= 0",
     shape = sparse_cross_shape)]
pub struct SparseCrossV2;

/// Crosses of sparse and dense matrices as hashes.
///
/// With `strong_hash` strings have SipHash-2-4 with the key `salt` in the place of `Fingerprint64`; integers have no
/// strong hash. Without it an integer of a sparse tensor has the fingerprint of its lower 4 bytes, one of a dense
/// tensor is its own.
#[op("SparseCrossHashed",
     no_gradient,
     input = "indices: N * int64",
     input = "values: sparse_types",
     input = "shapes: N * int64",
     input = "dense_inputs: dense_types",
     input = "num_buckets: int64",
     input = "strong_hash: bool",
     input = "salt: int64",
     output = "output_indices: int64",
     output = "output_values: int64",
     output = "output_shape: int64",
     attr = "N: int >= 0",
     attr = "sparse_types: list({int64, string}) >= 0",
     attr = "dense_types: list({int64, string}) >= 0",
     shape = sparse_cross_shape)]
pub struct SparseCrossHashed;

/// Crosses of ragged, sparse and dense matrices, as the rows of a ragged matrix.
///
/// `input_order` has a letter for each column: `R`, `S` or `D` for the next ragged, sparse or dense one. Strings are
/// separated by `_X_`; hashes are those of `SparseCross`.
#[op(
    "RaggedCross",
    no_gradient,
    input = "ragged_values: ragged_values_types",
    input = "ragged_row_splits: ragged_splits_types",
    input = "sparse_indices: Nsparse * int64",
    input = "sparse_values: sparse_values_types",
    input = "sparse_shape: Nsparse * int64",
    input = "dense_inputs: dense_types",
    output = "output_values: out_values_type",
    output = "output_row_splits: out_row_splits_type",
    attr = "Nsparse: int >= 0",
    attr = "input_order: string",
    attr = "hashed_output: bool",
    attr = "num_buckets: int >= 0",
    attr = "hash_key: int",
    attr = "ragged_values_types: list({int64, string}) >= 0",
    attr = "ragged_splits_types: list({int32, int64}) >= 0",
    attr = "sparse_values_types: list({int64, string}) >= 0",
    attr = "dense_types: list({int64, string}) >= 0",
    attr = "out_values_type: {int64, string}",
    attr = "out_row_splits_type: {int32, int64}"
)]
pub fn ragged_cross(c: &mut ShapeContext<'_>) -> Result<()> {
    let count = |name: &str| Ok::<_, Error>(c.attr::<&[DType]>(name)?.len());
    let (ragged, splits) = (count("ragged_values_types")?, count("ragged_splits_types")?);
    ensure!(ragged == splits, "there are {ragged} ragged_values and {splits} ragged_row_splits");
    let dense = count("dense_types")?;
    let mut rows = PartialShape::unknown_of_rank(1);
    for at in ragged..2 * ragged {
        rows = c.merge(&rows, c.input(at))?;
    }
    for at in c.num_inputs() - dense..c.num_inputs() {
        let own = c.input(at).dim(0).map(|rows| rows + 1);
        rows = c.merge(&rows, &PartialShape::new(&[own]))?;
    }
    c.set_output(0, PartialShape::unknown_of_rank(1));
    c.set_output(1, rows);
    Ok(())
}

/// A sparse matrix.
fn sparse_cross_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::new(&[None, Some(2)]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[Some(2)]));
    Ok(())
}
