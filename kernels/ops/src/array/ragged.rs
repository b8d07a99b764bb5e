//! Ragged tensors.

use oplink::prelude::*;

/// Ranges of numbers, one after the other, and where each starts.
///
/// `starts`, `limits` and `deltas` are vectors of one length, or scalars, which serve every row. Row `i` counts from
/// `starts[i]` in steps of `deltas[i]` (not 0) as long as `limits[i]` is not reached. `rt_dense_values` holds the rows
/// one after the other, `rt_nested_splits` where each starts, and the end.
#[op(
    "RaggedRange",
    input = "starts: T",
    input = "limits: T",
    input = "deltas: T",
    output = "rt_nested_splits: Tsplits",
    output = "rt_dense_values: T",
    attr = "T: {bfloat16, float, double, int32, int64} = DT_INT32",
    attr = "Tsplits: {int32, int64} = DT_INT64"
)]
pub fn ragged_range(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut rows = None;
    for index in 0..3 {
        let shape = c.with_rank_at_most(index, 1)?;
        if shape.rank() == Some(1) {
            rows = c.merge_dim(rows, shape.dim(0))?;
        }
    }
    let scalars = (0..3).all(|index| c.input(index).rank() == Some(0));
    let splits = if scalars { Some(2) } else { rows.map(|rows| rows + 1) };
    c.set_output(0, PartialShape::new(&[splits]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// A tensor with the rows of a ragged tensor, filled up with `default_value`.
///
/// `values` holds the innermost elements (or slices), and each of `row_partition_tensors`, from the outermost axis
/// inwards, says how those of one axis are shared out: `ROW_SPLITS` has the start of each row and the end,
/// `VALUE_ROWIDS` the row of each element, and `FIRST_DIM_SIZE`, which can only be the first, the number of outermost
/// rows. `shape` gives the output's extents, -1 or a scalar -1 being as many as there are; what lies beyond is left
/// out, and `default_value`, which broadcasts to a slice, stands where there is nothing.
#[op(
    "RaggedTensorToTensor",
    input = "shape: Tshape",
    input = "values: T",
    input = "default_value: T",
    input = "row_partition_tensors: num_row_partition_tensors * Tindex",
    output = "result: T",
    attr = "T: type",
    attr = "Tindex: {int64, int32}",
    attr = "Tshape: {int64, int32}",
    attr = "num_row_partition_tensors: int >= 1",
    attr = "row_partition_types: list(string)"
)]
pub fn ragged_tensor_to_tensor(c: &mut ShapeContext<'_>) -> Result<()> {
    let kinds = kinds(c.attr("row_partition_types")?)?;
    let known = c.input_tensor(0).is_some() || c.input(0).rank().is_some();
    let given = if known { c.make_shape_from_tensor(0)? } else { PartialShape::unknown() };
    let values = c.input(1).clone();
    let axes = ragged_axes(&kinds);
    let Some(inner) = values.dims() else {
        c.set_output(0, given);
        return Ok(());
    };
    let rank = axes + inner.len();
    ensure!(given.rank().is_none_or(|given| given == rank), "shape {given} must have {rank} axes");
    let of_values: PartialShape = (0..=axes).map(|_| None).chain(inner.iter().skip(1).copied()).collect();
    let shape = c.merge(&given, &of_values)?;
    c.set_output(0, shape);
    Ok(())
}

/// How a partition says which elements are in which row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One number: how many rows the first axis has.
    FirstDimSize,
    /// The row of each value.
    ValueRowIds,
    /// Where each row starts, and where the last one ends.
    RowSplits,
}

/// The kinds of partitions, by the names in the attr `row_partition_types`.
///
/// # Errors
/// A name is unknown, or stands where its kind cannot.
pub fn kinds(names: &[Vec<u8>]) -> Result<Vec<Kind>> {
    let kind = |(place, name): (usize, &Vec<u8>)| match name.as_slice() {
        b"FIRST_DIM_SIZE" if place == 0 => Ok(Kind::FirstDimSize),
        b"VALUE_ROWIDS" if place > 0 => Ok(Kind::ValueRowIds),
        b"ROW_SPLITS" => Ok(Kind::RowSplits),
        other => bail!("row_partition_types[{place}] cannot be {}", String::from_utf8_lossy(other)),
    };
    names.iter().enumerate().map(kind).collect()
}

/// The number of axes that partitions make beside that of the values.
fn ragged_axes(kinds: &[Kind]) -> usize {
    kinds.iter().filter(|&&kind| kind != Kind::FirstDimSize).count()
}

/// Rows of a ragged tensor.
///
/// `params_nested_splits` are the row splits from the outermost axis inwards, each sorted and within what it splits;
/// `indices`, of any shape, picks outermost rows. The output has the axes of `indices` before those of a row, all but
/// the first one by row splits: `OUTPUT_RAGGED_RANK` is `PARAMS_RAGGED_RANK` plus the rank of `indices` less 1.
#[op(
    "RaggedGather",
    input = "params_nested_splits: PARAMS_RAGGED_RANK * Tsplits",
    input = "params_dense_values: Tvalues",
    input = "indices: Tindices",
    output = "output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits",
    output = "output_dense_values: Tvalues",
    attr = "Tvalues: type",
    attr = "Tindices: {int32, int64}",
    attr = "Tsplits: {int32, int64} = DT_INT64",
    attr = "PARAMS_RAGGED_RANK: int >= 1",
    attr = "OUTPUT_RAGGED_RANK: int >= 0"
)]
pub fn ragged_gather(c: &mut ShapeContext<'_>) -> Result<()> {
    let (params, outputs) = (c.num_inputs() - 2, c.num_outputs() - 1);
    let rank = (outputs + 1).checked_sub(params);
    let Some(rank) = rank else { bail!("OUTPUT_RAGGED_RANK {outputs} is too small for {params} params_nested_splits") };
    c.with_rank(params + 1, rank)?;
    for at in 0..params {
        c.with_rank(at, 1)?;
    }
    let values = c.with_rank_at_least(params, 1)?;
    for at in 0..outputs {
        c.set_output(at, PartialShape::unknown_of_rank(1));
    }
    let row = c.subshape(&values, 1, None)?;
    let values = c.concatenate(&PartialShape::unknown_of_rank(1), &row);
    c.set_output(outputs, values);
    Ok(())
}

/// A ragged tensor as a sparse one, each of its values with its index.
///
/// `rt_nested_splits` are the row splits from the outermost axis inwards: each rises from 0 to the number of what it
/// splits. The dense shape has the lengths of the longest rows.
#[op(
    "RaggedTensorToSparse",
    input = "rt_nested_splits: RAGGED_RANK * Tsplits",
    input = "rt_dense_values: T",
    output = "sparse_indices: int64",
    output = "sparse_values: T",
    output = "sparse_dense_shape: int64",
    attr = "RAGGED_RANK: int >= 1",
    attr = "T: type",
    attr = "Tsplits: {int32, int64} = DT_INT64"
)]
pub fn ragged_tensor_to_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    let splits = c.num_inputs() - 1;
    let values = c.with_rank_at_least(splits, 1)?;
    for at in 0..splits {
        c.with_rank(at, 1)?;
    }
    let has_none = values.dims().is_some_and(|dims| dims.contains(&Some(0)));
    let count = if has_none { Some(0) } else { values.num_elements() };
    let rank = values.rank().map(|rank| rank + splits);
    c.set_output(0, PartialShape::new(&[count, rank]));
    c.set_output(1, PartialShape::new(&[count]));
    c.set_output(2, PartialShape::new(&[rank]));
    Ok(())
}
