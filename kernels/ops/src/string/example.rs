//! `ParseExample`, `ParseExampleV2`, `ParseSingleExample`: the features of `Example` messages as tensors.
//!
//! Dense features have `dense_shapes[i]`, of which the first extent may be unknown: then rows are filled up with the
//! one element of the default. A missing dense feature takes its default, and without one is an error. Sparse features
//! give the values that there are, by row and position; ragged ones the values and where each row starts, and the end.

use oplink::prelude::*;

use crate::dense_shape::DenseShape;

/// Features of a vector of messages, keys as lists of scalars.
#[op(
    "ParseExample",
    no_gradient,
    input = "serialized: string",
    input = "names: string",
    input = "sparse_keys: Nsparse * string",
    input = "dense_keys: Ndense * string",
    input = "dense_defaults: Tdense",
    output = "sparse_indices: Nsparse * int64",
    output = "sparse_values: sparse_types",
    output = "sparse_shapes: Nsparse * int64",
    output = "dense_values: Tdense",
    attr = "Nsparse: int >= 0",
    attr = "Ndense: int >= 0",
    attr = "sparse_types: list({float, int64, string}) >= 0",
    attr = "Tdense: list({float, int64, string}) >= 0",
    attr = "dense_shapes: list(shape) >= 0"
)]
pub fn parse_example(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    let sparse: &[DType] = c.attr("sparse_types")?;
    let count: i64 = c.attr("Nsparse")?;
    ensure!(sparse.len() as i64 == count, "sparse_types has {} dtypes for {count} sparse_keys", sparse.len());
    let (sparse, at) = (sparse.len(), 0);
    let at = set_sparse(c, at, sparse, &input);
    set_dense_values(c, at, &input)?;
    Ok(())
}

/// Features of a vector of messages or of one, keys as vectors.
#[op(
    "ParseExampleV2",
    no_gradient,
    input = "serialized: string",
    input = "names: string",
    input = "sparse_keys: string",
    input = "dense_keys: string",
    input = "ragged_keys: string",
    input = "dense_defaults: Tdense",
    output = "sparse_indices: num_sparse * int64",
    output = "sparse_values: sparse_types",
    output = "sparse_shapes: num_sparse * int64",
    output = "dense_values: Tdense",
    output = "ragged_values: ragged_value_types",
    output = "ragged_row_splits: ragged_split_types",
    attr = "Tdense: list({float, int64, string}) >= 0",
    attr = "num_sparse: int >= 0",
    attr = "sparse_types: list({float, int64, string}) >= 0",
    attr = "ragged_value_types: list({float, int64, string}) >= 0",
    attr = "ragged_split_types: list({int32, int64}) >= 0",
    attr = "dense_shapes: list(shape) >= 0"
)]
pub fn parse_example_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_most(0, 1)?;
    c.with_rank_at_most(1, 1)?;
    for keys in 2..5 {
        c.with_rank(keys, 1)?;
    }
    let (types, count): (&[DType], i64) = (c.attr("sparse_types")?, c.attr("num_sparse")?);
    ensure!(types.len() as i64 == count, "sparse_types has {} dtypes, num_sparse is {count}", types.len());
    let ragged = c.attr::<&[DType]>("ragged_value_types")?.len();
    let splits = c.attr::<&[DType]>("ragged_split_types")?.len();
    ensure!(ragged == splits, "ragged_value_types has {ragged} dtypes, ragged_split_types {splits}");
    let at = set_sparse(c, 0, types.len(), &input);
    let at = set_dense_values(c, at, &input)?;
    let rows = match input.dims() {
        Some([rows]) => rows.map(|rows| rows + 1),
        _ => None,
    };
    for at in at..at + ragged {
        c.set_output(at, PartialShape::new(&[None]));
        c.set_output(at + ragged, PartialShape::new(&[rows]));
    }
    Ok(())
}

/// Features of one message, keys as attrs.
#[op(
    "ParseSingleExample",
    no_gradient,
    input = "serialized: string",
    input = "dense_defaults: Tdense",
    output = "sparse_indices: num_sparse * int64",
    output = "sparse_values: sparse_types",
    output = "sparse_shapes: num_sparse * int64",
    output = "dense_values: Tdense",
    attr = "num_sparse: int >= 0",
    attr = "sparse_keys: list(string) >= 0",
    attr = "dense_keys: list(string) >= 0",
    attr = "sparse_types: list({float, int64, string}) >= 0",
    attr = "Tdense: list({float, int64, string}) >= 0",
    attr = "dense_shapes: list(shape) >= 0"
)]
pub fn parse_single_example(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 0)?;
    let (types, count): (&[DType], i64) = (c.attr("sparse_types")?, c.attr("num_sparse")?);
    let keys = c.attr::<&[Vec<u8>]>("sparse_keys")?.len();
    let fit = types.len() as i64 == count && keys == types.len();
    ensure!(fit, "num_sparse is {count}, of {keys} sparse_keys and {} sparse_types", types.len());
    let dense = c.attr::<&[Vec<u8>]>("dense_keys")?.len();
    let types_of_dense = c.attr::<&[DType]>("Tdense")?.len();
    ensure!(dense == types_of_dense, "Tdense has {types_of_dense} dtypes for {dense} dense_keys");
    let at = set_sparse(c, 0, types.len(), &input);
    set_dense_values(c, at, &input)?;
    Ok(())
}

/// Sets the outputs of so many sparse features from output `at` on; the next output.
pub(super) fn set_sparse(c: &mut ShapeContext<'_>, at: usize, count: usize, input: &PartialShape) -> usize {
    let rank = input.rank().map(|rank| rank + 1);
    for number in at..at + count {
        c.set_output(number, PartialShape::new(&[None, rank]));
        c.set_output(number + count, PartialShape::new(&[None]));
        c.set_output(number + 2 * count, PartialShape::new(&[rank]));
    }
    at + 3 * count
}

/// Sets the outputs of the dense features from output `at` on; the next output.
fn set_dense_values(c: &mut ShapeContext<'_>, at: usize, input: &PartialShape) -> Result<usize> {
    let types: &[DType] = c.attr("Tdense")?;
    set_dense(c, at, input, c.attr("dense_shapes")?, types.len())
}

/// Sets the outputs of dense features of these shapes from output `at` on; the next output.
pub(super) fn set_dense(
    c: &mut ShapeContext<'_>,
    at: usize,
    input: &PartialShape,
    shapes: &[PartialShape],
    count: usize,
) -> Result<usize> {
    ensure!(shapes.len() == count, "there are {} shapes for {count} dense features", shapes.len());
    for (number, shape) in shapes.iter().enumerate() {
        DenseShape::of(shape)?;
        let shape = c.concatenate(input, shape);
        c.set_output(at + number, shape);
    }
    Ok(at + shapes.len())
}
