//! `ParseSequenceExample`, `ParseSequenceExampleV2`, `ParseSingleSequenceExample`: the features of `SequenceExample`
//! messages as tensors; `DecodeJSONExample`: messages of examples from JSON.
//!
//! A `SequenceExample` has features of the whole (its context), read as `ParseExample` reads them but for dense ones:
//! their shapes are known, and one that is there must have values. And it has lists of features, each a row. Dense
//! lists have `feature_list_dense_shapes[i]` in each row, and are filled up with 0 or empty strings to the longest
//! list; a list that is missing is an error unless the op says that it counts as empty. Sparse lists give the values
//! that there are, by example, row and position; ragged ones the values, where each row starts and the end, and at
//! which row each example starts, and the end.

use super::example::{set_dense, set_sparse};
use oplink::prelude::*;

/// Features of a vector of messages, keys as attrs.
///
/// `feature_list_dense_lengths` has the number of rows of each list.
#[op(
    "ParseSequenceExample",
    no_gradient,
    input = "serialized: string",
    input = "debug_name: string",
    input = "context_dense_defaults: Tcontext_dense",
    output = "context_sparse_indices: Ncontext_sparse * int64",
    output = "context_sparse_values: context_sparse_types",
    output = "context_sparse_shapes: Ncontext_sparse * int64",
    output = "context_dense_values: Tcontext_dense",
    output = "feature_list_sparse_indices: Nfeature_list_sparse * int64",
    output = "feature_list_sparse_values: feature_list_sparse_types",
    output = "feature_list_sparse_shapes: Nfeature_list_sparse * int64",
    output = "feature_list_dense_values: feature_list_dense_types",
    output = "feature_list_dense_lengths: Nfeature_list_dense * int64",
    attr = "feature_list_dense_missing_assumed_empty: list(string) >= 0",
    attr = "context_sparse_keys: list(string) >= 0",
    attr = "context_dense_keys: list(string) >= 0",
    attr = "feature_list_sparse_keys: list(string) >= 0",
    attr = "feature_list_dense_keys: list(string) >= 0",
    attr = "Ncontext_sparse: int >= 0 = 0",
    attr = "Ncontext_dense: int >= 0 = 0",
    attr = "Nfeature_list_sparse: int >= 0 = 0",
    attr = "Nfeature_list_dense: int >= 0 = 0",
    attr = "context_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "Tcontext_dense: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_dense_types: list({float, int64, string}) >= 0 = []",
    attr = "context_dense_shapes: list(shape) >= 0 = []",
    attr = "feature_list_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_dense_shapes: list(shape) >= 0 = []"
)]
pub fn parse_sequence_example(c: &mut ShapeContext<'_>) -> Result<()> {
    for (keys, count) in [
        ("context_sparse_keys", c.attr::<&[DType]>("context_sparse_types")?.len()),
        ("context_dense_keys", c.attr::<&[DType]>("Tcontext_dense")?.len()),
        ("feature_list_sparse_keys", c.attr::<&[DType]>("feature_list_sparse_types")?.len()),
        ("feature_list_dense_keys", c.attr::<&[DType]>("feature_list_dense_types")?.len()),
    ] {
        let own = c.attr::<&[Vec<u8>]>(keys)?.len();
        ensure!(own == count, "{keys} has {own} keys for {count} dtypes");
    }
    ensure_count(c, "Ncontext_dense", "Tcontext_dense")?;
    let input = c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    let rows = c.concatenate(&input, &PartialShape::unknown_of_rank(1));
    let at = set_context(c, &input)?;
    let at = set_lists(c, at, &rows)?;
    set_all(c, at, c.num_outputs(), &input);
    Ok(())
}

/// Features of a vector of messages or of one, keys as inputs, also ragged ones.
///
/// `feature_list_dense_missing_assumed_empty` has a value for each dense list. Of one message there are no
/// `context_ragged_row_splits` and no `feature_list_ragged_outer_splits`: they are empty.
#[op(
    "ParseSequenceExampleV2",
    no_gradient,
    input = "serialized: string",
    input = "debug_name: string",
    input = "context_sparse_keys: string",
    input = "context_dense_keys: string",
    input = "context_ragged_keys: string",
    input = "feature_list_sparse_keys: string",
    input = "feature_list_dense_keys: string",
    input = "feature_list_ragged_keys: string",
    input = "feature_list_dense_missing_assumed_empty: bool",
    input = "context_dense_defaults: Tcontext_dense",
    output = "context_sparse_indices: Ncontext_sparse * int64",
    output = "context_sparse_values: context_sparse_types",
    output = "context_sparse_shapes: Ncontext_sparse * int64",
    output = "context_dense_values: Tcontext_dense",
    output = "context_ragged_values: context_ragged_value_types",
    output = "context_ragged_row_splits: context_ragged_split_types",
    output = "feature_list_sparse_indices: Nfeature_list_sparse * int64",
    output = "feature_list_sparse_values: feature_list_sparse_types",
    output = "feature_list_sparse_shapes: Nfeature_list_sparse * int64",
    output = "feature_list_dense_values: feature_list_dense_types",
    output = "feature_list_dense_lengths: Nfeature_list_dense * int64",
    output = "feature_list_ragged_values: feature_list_ragged_value_types",
    output = "feature_list_ragged_outer_splits: feature_list_ragged_split_types",
    output = "feature_list_ragged_inner_splits: feature_list_ragged_split_types",
    attr = "Ncontext_sparse: int >= 0 = 0",
    attr = "Tcontext_dense: list({float, int64, string}) >= 0 = []",
    attr = "context_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "context_ragged_value_types: list({float, int64, string}) >= 0 = []",
    attr = "context_ragged_split_types: list({int32, int64}) >= 0 = []",
    attr = "context_dense_shapes: list(shape) >= 0 = []",
    attr = "Nfeature_list_sparse: int >= 0 = 0",
    attr = "Nfeature_list_dense: int >= 0 = 0",
    attr = "feature_list_dense_types: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_ragged_value_types: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_ragged_split_types: list({int32, int64}) >= 0 = []",
    attr = "feature_list_dense_shapes: list(shape) >= 0 = []"
)]
pub fn parse_sequence_example_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_most(0, 1)?;
    c.with_rank_at_most(1, 1)?;
    let rows = c.concatenate(&input, &PartialShape::unknown_of_rank(1));
    let splits = match input.dims() {
        Some([examples]) => PartialShape::new(&[examples.map(|examples| examples + 1)]),
        _ => PartialShape::unknown_of_rank(1),
    };
    let at = set_context(c, &input)?;
    let ragged = ragged_count(c, "context_ragged_value_types", "context_ragged_split_types")?;
    set_all(c, at, at + ragged, &PartialShape::unknown_of_rank(1));
    set_all(c, at + ragged, at + 2 * ragged, &splits);
    let at = set_lists(c, at + 2 * ragged, &rows)?;
    let dense = c.attr::<&[DType]>("feature_list_dense_types")?.len();
    set_all(c, at, at + dense, &input);
    let at = at + dense;
    let ragged = ragged_count(c, "feature_list_ragged_value_types", "feature_list_ragged_split_types")?;
    set_all(c, at, at + ragged, &PartialShape::unknown_of_rank(1));
    set_all(c, at + ragged, at + 2 * ragged, &splits);
    set_all(c, at + 2 * ragged, at + 3 * ragged, &PartialShape::unknown_of_rank(1));
    Ok(())
}

/// Features of one message, keys as lists of scalars.
///
/// `feature_list_dense_missing_assumed_empty` has the keys of the dense lists that may be missing.
#[op(
    "ParseSingleSequenceExample",
    no_gradient,
    input = "serialized: string",
    input = "feature_list_dense_missing_assumed_empty: string",
    input = "context_sparse_keys: Ncontext_sparse * string",
    input = "context_dense_keys: Ncontext_dense * string",
    input = "feature_list_sparse_keys: Nfeature_list_sparse * string",
    input = "feature_list_dense_keys: Nfeature_list_dense * string",
    input = "context_dense_defaults: Tcontext_dense",
    input = "debug_name: string",
    output = "context_sparse_indices: Ncontext_sparse * int64",
    output = "context_sparse_values: context_sparse_types",
    output = "context_sparse_shapes: Ncontext_sparse * int64",
    output = "context_dense_values: Tcontext_dense",
    output = "feature_list_sparse_indices: Nfeature_list_sparse * int64",
    output = "feature_list_sparse_values: feature_list_sparse_types",
    output = "feature_list_sparse_shapes: Nfeature_list_sparse * int64",
    output = "feature_list_dense_values: feature_list_dense_types",
    attr = "Ncontext_sparse: int >= 0 = 0",
    attr = "Ncontext_dense: int >= 0 = 0",
    attr = "Nfeature_list_sparse: int >= 0 = 0",
    attr = "Nfeature_list_dense: int >= 0 = 0",
    attr = "context_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "Tcontext_dense: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_dense_types: list({float, int64, string}) >= 0 = []",
    attr = "context_dense_shapes: list(shape) >= 0 = []",
    attr = "feature_list_sparse_types: list({float, int64, string}) >= 0 = []",
    attr = "feature_list_dense_shapes: list(shape) >= 0 = []"
)]
pub fn parse_single_sequence_example(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 0)?;
    c.with_rank(1, 1)?;
    ensure_count(c, "Ncontext_dense", "Tcontext_dense")?;
    let at = set_context(c, &input)?;
    set_lists(c, at, &PartialShape::unknown_of_rank(1))?;
    Ok(())
}

/// Messages of examples in JSON, by protobuf's mapping of messages, in binary form.
///
/// Fields have their names in either case (`int64List`, `int64_list`), bytes are base64 of either alphabet, integers
/// and floats may be strings, `null` stands for what is not set; what is unknown is an error. As protobuf's own reader
/// does, the op takes keys without quotes, single quotes and a comma after the last element.
///
/// Source: <https://protobuf.dev/programming-guides/json/>.
#[op("DecodeJSONExample",
     no_gradient,
     input = "json_examples: string",
     output = "binary_examples: string",
     shape = shape_fns::unchanged)]
pub struct DecodeJsonExample;

/// An error where the attr `count` is not the number of dtypes in the attr `types`.
fn ensure_count(c: &ShapeContext<'_>, count: &str, types: &str) -> Result<()> {
    let (given, own) = (c.attr::<i64>(count)?, c.attr::<&[DType]>(types)?.len());
    ensure!(given == own as i64, "{types} has {own} dtypes, {count} is {given}");
    Ok(())
}

/// The number of ragged features.
fn ragged_count(c: &ShapeContext<'_>, values: &str, splits: &str) -> Result<usize> {
    let (own, other) = (c.attr::<&[DType]>(values)?.len(), c.attr::<&[DType]>(splits)?.len());
    ensure!(own == other, "{values} has {own} dtypes, {splits} {other}");
    Ok(own)
}

/// Sets the outputs of the context's sparse and dense features; the next output.
fn set_context(c: &mut ShapeContext<'_>, input: &PartialShape) -> Result<usize> {
    ensure_count(c, "Ncontext_sparse", "context_sparse_types")?;
    let at = set_sparse(c, 0, c.attr::<&[DType]>("context_sparse_types")?.len(), input);
    let types: &[DType] = c.attr("Tcontext_dense")?;
    set_dense(c, at, input, c.attr("context_dense_shapes")?, types.len())
}

/// Sets the outputs of sparse and dense lists from output `at` on; the next output.
fn set_lists(c: &mut ShapeContext<'_>, at: usize, rows: &PartialShape) -> Result<usize> {
    ensure_count(c, "Nfeature_list_sparse", "feature_list_sparse_types")?;
    ensure_count(c, "Nfeature_list_dense", "feature_list_dense_types")?;
    let at = set_sparse(c, at, c.attr::<&[DType]>("feature_list_sparse_types")?.len(), rows);
    let types: &[DType] = c.attr("feature_list_dense_types")?;
    set_dense(c, at, rows, c.attr("feature_list_dense_shapes")?, types.len())
}

fn set_all(c: &mut ShapeContext<'_>, first: usize, end: usize, shape: &PartialShape) {
    (first..end).for_each(|at| c.set_output(at, shape.clone()));
}
