//! Shape functions of ops that move blocks between the batch and the axes behind it.

use super::dims::{add, divide_evenly, multiply, subtract};
use crate::shape::Dim;
use crate::shape_inference::{int_values, merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `SpaceToBatchND`: by `block_shape` (vector input 1) and `paddings` ([axes, 2], input 2), extents behind the batch
/// grow by their paddings and are divided by their blocks, the batch is multiplied by all blocks.
///
/// # Errors
/// `block_shape` is no vector of known length or has an element below 1, the input has too few dimensions, `paddings`
/// have another shape or are negative, or a padded extent is no multiple of its block.
pub fn space_to_batch_nd(c: &mut ShapeContext<'_>) -> Result<()> {
    let (axes, block) = block_shape(c)?;
    let input = c.with_rank_at_least(0, axes + 1)?;
    into_batch(c, &input, axes, block.as_deref(), 2)
}

/// `BatchToSpaceND`: by `block_shape` (vector input 1) and `crops` ([axes, 2], input 2), the batch is divided by all
/// blocks, extents behind it are multiplied by their blocks and shrink by their crops.
///
/// # Errors
/// `block_shape` is no vector of known length or has an element below 1, the input has too few dimensions, `crops` have
/// another shape, are negative or too large, or the batch is no multiple of all blocks.
pub fn batch_to_space_nd(c: &mut ShapeContext<'_>) -> Result<()> {
    let (axes, block) = block_shape(c)?;
    let input = c.with_rank_at_least(0, axes + 1)?;
    out_of_batch(c, &input, axes, block.as_deref(), 2)
}

/// `SpaceToBatch`: as [`space_to_batch_nd`] of rank 4, with the attr `block_size` for two axes; `paddings` is input 1.
///
/// # Errors
/// The input is not of rank 4, `paddings` have another shape or are negative, `block_size` is below 1, or a padded
/// extent is no multiple of it.
pub fn space_to_batch(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    let block: i64 = c.attr("block_size")?;
    into_batch(c, &input, 2, Some(&[block, block]), 1)
}

/// `BatchToSpace`: as [`batch_to_space_nd`] of rank 4 with the attr `block_size` for two axes, `crops` being input 1.
///
/// # Errors
/// The input is not of rank 4, `crops` have another shape, are negative or too large, `block_size` is below 1, or the
/// batch is no multiple of its square.
pub fn batch_to_space(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    let block: i64 = c.attr("block_size")?;
    out_of_batch(c, &input, 2, Some(&[block, block]), 1)
}

/// The number of blocked axes, and their blocks where they are constant.
fn block_shape(c: &ShapeContext<'_>) -> Result<(usize, Option<Vec<i64>>)> {
    match c.input(1).dims() {
        Some([Some(axes)]) => Ok((*axes, c.constant_ints(1)?)),
        _ => Err(shape_error(format!("block_shape must be a vector of known length, its shape is {}", c.input(1)))),
    }
}

fn into_batch(
    c: &mut ShapeContext<'_>,
    input: &PartialShape,
    axes: usize,
    block: Option<&[i64]>,
    paddings: usize,
) -> Result<()> {
    let change = |dim: Dim, block: usize, [before, after]: [usize; 2]| {
        divide_evenly(add(add(dim, Some(before))?, Some(after))?, block)
    };
    regroup(c, input, axes, block, paddings, |batch, block| multiply(batch, Some(block)), change)
}

fn out_of_batch(
    c: &mut ShapeContext<'_>,
    input: &PartialShape,
    axes: usize,
    block: Option<&[i64]>,
    crops: usize,
) -> Result<()> {
    let change = |dim: Dim, block: usize, [before, after]: [usize; 2]| {
        subtract(subtract(multiply(dim, Some(block))?, Some(before))?, Some(after))
    };
    regroup(c, input, axes, block, crops, divide_evenly, change)
}

fn regroup(
    c: &mut ShapeContext<'_>,
    input: &PartialShape,
    axes: usize,
    block: Option<&[i64]>,
    borders: usize,
    change_batch: fn(Dim, usize) -> Result<Dim>,
    change: impl Fn(Dim, usize, [usize; 2]) -> Result<Dim>,
) -> Result<()> {
    merge_shapes(c.input(borders), &PartialShape::new(&[Some(axes), Some(2)]))?;
    let values = c.input_tensor(borders).map(int_values).transpose()?;
    let number = |value: i64, what: &str, least: i64| match usize::try_from(value) {
        Ok(number) if value >= least => Ok(number),
        _ => Err(shape_error(format!("{what} must be >= {least}, got {value}"))),
    };
    let mut batch = input.dim(0);
    let mut out = vec![None];
    for axis in 0..axes {
        let block = block.map(|block| number(block[axis], "block_shape", 1)).transpose()?;
        batch = match block {
            Some(block) => change_batch(batch, block)?,
            None => None,
        };
        let border = |values: &Vec<i64>| -> Result<[usize; 2]> {
            Ok([number(values[2 * axis], "a border", 0)?, number(values[2 * axis + 1], "a border", 0)?])
        };
        out.push(match (block, values.as_ref().map(border).transpose()?) {
            (Some(block), Some(border)) => change(input.dim(axis + 1), block, border)?,
            _ => None,
        });
    }
    out[0] = batch;
    let rest = match input.rank() {
        Some(_) => c.subshape(input, axes as i64 + 1, None)?,
        None => PartialShape::unknown(),
    };
    let shape = c.concatenate(&PartialShape::new(&out), &rest);
    c.set_output(0, shape);
    Ok(())
}
