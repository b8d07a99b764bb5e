//! Shape functions of ops that enlarge a tensor along its axes.

use super::dims::{add, multiply};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `Pad` and `PadV2`: each extent of input 0 grows by the two numbers of its row in the matrix input 1.
///
/// # Errors
/// Input 1 is no matrix of two columns with a row for each axis, or it has a negative element.
pub fn pad(c: &mut ShapeContext<'_>) -> Result<()> {
    let paddings = c.with_rank(1, 2)?;
    c.merge_dim(paddings.dim(1), Some(2))?;
    let rank = c.merge_dim(paddings.dim(0), c.input(0).rank())?;
    let Some(rank) = rank else { return Ok(()) };
    let input = c.with_rank(0, rank)?;
    let shape = match c.constant_ints(1)? {
        None => PartialShape::unknown_of_rank(rank),
        Some(values) => {
            let rows = values.chunks_exact(2).zip(input.dims().unwrap_or_default());
            rows.map(|(row, &dim)| padded(dim, row)).collect::<Result<_>>()?
        }
    };
    c.set_output(0, shape);
    Ok(())
}

fn padded(dim: Dim, row: &[i64]) -> Result<Dim> {
    match (usize::try_from(row[0]), usize::try_from(row[1])) {
        (Ok(before), Ok(after)) => add(dim, add(Some(before), Some(after))?),
        _ => Err(shape_error(format!("paddings must be >= 0, they are {row:?}"))),
    }
}

/// `MirrorPad`: as [`pad`].
///
/// # Errors
/// As [`pad`].
pub fn mirror_pad(c: &mut ShapeContext<'_>) -> Result<()> {
    pad(c)
}

/// `Tile`: each extent of input 0 times its element in the vector input 1.
///
/// # Errors
/// Input 1 is no vector with an element for each axis, or it has a negative element.
pub fn tile(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let multiples = c.make_shape_from_tensor(1)?;
    let (input, multiples) = match (c.input(0).rank(), multiples.rank()) {
        (Some(rank), None) => (c.input(0).clone(), PartialShape::unknown_of_rank(rank)),
        (_, Some(rank)) => (c.with_rank(0, rank)?, multiples),
        (None, None) => return Ok(()),
    };
    let pairs = input.dims().unwrap_or_default().iter().zip(multiples.dims().unwrap_or_default());
    let shape = pairs.map(|(&dim, &times)| multiply(dim, times)).collect::<Result<PartialShape>>()?;
    c.set_output(0, shape);
    Ok(())
}
