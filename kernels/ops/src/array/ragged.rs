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
