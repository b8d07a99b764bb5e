//! Shape functions of ops that reinterpret or regroup elements.

use super::dims::{divide_evenly, multiply};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{DType, PartialShape, Result, ShapeContext};

/// `Bitcast`: to a smaller dtype, the ratio of sizes becomes a new last extent; to a larger one, a last extent of that
/// ratio goes.
///
/// # Errors
/// A dtype has no fixed size, or the input's last extent is not the ratio of the sizes.
pub fn bitcast(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.input(0);
    let (Some(rank), Some(from), Some(to)) = (input.rank(), c.input_dtype(0), c.output_dtype(0)) else { return Ok(()) };
    let size = |dtype: DType| dtype.size().ok_or_else(|| shape_error(format!("{dtype} cannot be cast bitwise")));
    let (from_size, to_size) = (size(from)?, size(to)?);
    let mut out = input.clone();
    if to_size < from_size {
        out.push(Some(from_size / to_size));
    } else if to_size > from_size {
        c.with_rank_at_least(0, 1)?;
        let ratio = to_size / from_size;
        if input.dim(rank - 1).is_some_and(|last| last != ratio) {
            return Err(shape_error(format!(
                "cannot bitcast {from} {input} to {to}: the last dimension must be {ratio}"
            )));
        }
        out = c.subshape(input, 0, Some(-1))?;
    }
    c.set_output(0, out);
    Ok(())
}

/// `DepthToSpace`: height and width times the attr `block_size`, depth divided by its square.
///
/// # Errors
/// The input has another rank than the layout, or its depth is no multiple of the square of `block_size`.
pub fn depth_to_space(c: &mut ShapeContext<'_>) -> Result<()> {
    regroup(c, multiply_dim, |depth, block| divide_evenly(depth, block.saturating_mul(block)))
}

/// `SpaceToDepth`: height and width divided by the attr `block_size`, depth times its square.
///
/// # Errors
/// The input has another rank than the layout, or its height or width is no multiple of `block_size`.
pub fn space_to_depth(c: &mut ShapeContext<'_>) -> Result<()> {
    regroup(c, divide_evenly, |depth, block| multiply_dim(depth, block.saturating_mul(block)))
}

fn multiply_dim(dim: Dim, factor: usize) -> Result<Dim> {
    multiply(dim, Some(factor))
}

type OnDim = fn(Dim, usize) -> Result<Dim>;

fn regroup(c: &mut ShapeContext<'_>, spatial: OnDim, depth: OnDim) -> Result<()> {
    let (rank, channel) = match c.attr::<&str>("data_format")? {
        "NHWC" => (4, 3),
        "NCHW" => (4, 1),
        _ => (5, 1),
    };
    let block = usize::try_from(c.attr::<i64>("block_size")?).unwrap_or(0);
    let input = c.with_rank(0, rank)?;
    let first_spatial = if channel == 1 { 2 } else { 1 };
    let of = |axis: usize| match axis {
        _ if axis == channel => depth(input.dim(axis), block),
        _ if axis == first_spatial || axis == first_spatial + 1 => spatial(input.dim(axis), block),
        _ => Ok(input.dim(axis)),
    };
    let out = (0..rank).map(of).collect::<Result<PartialShape>>()?;
    c.set_output(0, out);
    Ok(())
}
