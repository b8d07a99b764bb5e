//! Slices shared out and put together by index.

use oplink::prelude::*;

/// Shares out the slices of `data` by the numbers in `partitions`.
///
/// `data` starts with the shape of `partitions`; each number there, in `[0, num_partitions)`, says to which output the
/// slice behind it goes. Output shapes are `[count] + data.shape[partitions.rank:]`, slices in order. Every dtype.
#[op(
    "DynamicPartition",
    is(moves),
    input = "data: T",
    input = "partitions: int32",
    output = "outputs: num_partitions * T",
    attr = "num_partitions: int >= 1",
    attr = "T: type"
)]
pub fn dynamic_partition(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.input(1).rank().is_none() {
        return Ok(());
    }
    let rest = shape_fns::without_prefix(c, c.input(0), c.input(1))?;
    let shape = c.concatenate(&PartialShape::new(&[None]), &rest);
    (0..c.num_outputs()).for_each(|index| c.set_output(index, shape.clone()));
    Ok(())
}

/// Puts slices of `data` together at the rows in `indices`, the last one for a row staying.
///
/// `data[n]` starts with the shape of `indices[n]`; each number there, >= 0, is the row of the output that the slice
/// behind it becomes. All slices have one shape. The output has one row more than the largest number; of slices for one
/// row the last stays, and rows without a slice hold the dtype's default. Every dtype.
#[op("DynamicStitch", is(moves),
     input = "indices: N * int32",
     input = "data: N * T",
     output = "merged: T",
     attr = "N: int >= 1",
     attr = "T: type",
     shape = stitched)]
pub struct DynamicStitch;

/// Puts slices of `data` together at the rows in `indices`, which are meant to be different ones.
#[op("ParallelDynamicStitch",
     input = "indices: N * int32",
     input = "data: N * T",
     output = "merged: T",
     attr = "N: int >= 1",
     attr = "T: type",
     shape = stitched)]
pub struct ParallelDynamicStitch;

/// As many rows as the largest index says, where all are constant; behind them the slices' shape.
fn stitched(c: &mut ShapeContext<'_>) -> Result<()> {
    let count = c.num_inputs() / 2;
    let (mut rows, mut rest) = (Some(0), PartialShape::unknown());
    for part in 0..count {
        let values = c.constant_ints(part)?;
        let last = values.map(|values| values.iter().map(|&value| value + 1).max().unwrap_or(0).max(0) as usize);
        rows = rows.zip(last).map(|(rows, last)| rows.max(last));
        if c.input(part).rank().is_some() {
            let own = shape_fns::without_prefix(c, c.input(count + part), c.input(part))?;
            rest = c.merge(&rest, &own)?;
        }
    }
    let shape = c.concatenate(&PartialShape::new(&[rows]), &rest);
    c.set_output(0, shape);
    Ok(())
}
