//! Shape functions of ops whose inputs broadcast: aligned at the last axis, an extent of 1 stretches.

use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// Two inputs that broadcast to the shape of every output.
///
/// # Errors
/// The shapes do not broadcast.
pub fn broadcast_binary(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = broadcast_partial(c.input(0), c.input(1))?;
    (0..c.num_outputs()).for_each(|i| c.set_output(i, shape.clone()));
    Ok(())
}

/// Any number of inputs that broadcast to the shape of every output.
///
/// # Errors
/// The shapes do not broadcast.
pub fn broadcast_all(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = (0..c.num_inputs())
        .try_fold(PartialShape::scalar(), |shape, index| broadcast_partial(&shape, c.input(index)))?;
    (0..c.num_outputs()).for_each(|i| c.set_output(i, shape.clone()));
    Ok(())
}

/// `Equal` and `NotEqual`: as [`broadcast_binary`], but with the attr `incompatible_shape_error` false, shapes that do
/// not broadcast give a scalar, and shapes that may not give an unknown shape.
///
/// # Errors
/// The shapes do not broadcast, and the attr says that this is an error.
pub fn comparison(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.attr::<bool>("incompatible_shape_error").unwrap_or(true) {
        return broadcast_binary(c);
    }
    let shape = match broadcast_partial(c.input(0), c.input(1)) {
        Ok(_) if may_not_broadcast(c.input(0), c.input(1)) => PartialShape::unknown(),
        Ok(shape) => shape,
        Err(_) => PartialShape::scalar(),
    };
    c.set_output(0, shape);
    Ok(())
}

/// `Select`: `t` and `e` have one shape, the output's; `condition` has it too, or is a scalar, or a vector as long as
/// their first dimension.
///
/// # Errors
/// The shapes of `t` and `e` differ, or that of `condition` is neither theirs, nor empty, nor that of their first
/// dimension.
pub fn select(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = c.merge(c.input(1), c.input(2))?;
    let condition = c.input(0);
    match (condition.rank(), shape.rank()) {
        (None | Some(0), _) | (_, None) => {}
        (Some(1), Some(1..)) => {
            c.merge(condition, &PartialShape::new(&[shape.dim(0)]))?;
        }
        _ => shape = c.merge(&shape, condition)?,
    }
    c.set_output(0, shape);
    Ok(())
}

/// `SelectV2`: `condition`, `t` and `e` broadcast to the output's shape.
///
/// # Errors
/// The shapes do not broadcast.
pub fn select_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let data = broadcast_partial(c.input(1), c.input(2))?;
    let shape = broadcast_partial(c.input(0), &data)?;
    c.set_output(0, shape);
    Ok(())
}

/// `BroadcastTo`: the output has the shape that input 1 holds, to which input 0 must stretch.
///
/// # Errors
/// Input 1 is no shape, or input 0 does not stretch to it.
pub fn broadcast_to(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let mut out = c.make_shape_from_tensor(1)?;
    if let (Some(rank), Some(_)) = (out.rank(), c.input(0).rank()) {
        let input = c.with_rank_at_most(0, rank)?;
        let dims = input.dims().unwrap_or_default();
        let offset = rank - dims.len();
        let stretched = |axis: usize, dim: Dim| match axis.checked_sub(offset).and_then(|i| dims[i]) {
            Some(size) if size > 1 => c.merge_dim(Some(size), dim),
            _ => Ok(dim),
        };
        let dims = out.dims().unwrap_or_default().iter().enumerate();
        out = dims.map(|(axis, &dim)| stretched(axis, dim)).collect::<Result<_>>()?;
    }
    c.set_output(0, out);
    Ok(())
}

/// `BroadcastArgs`: two shapes as vectors; the output is as long as the longer one.
///
/// # Errors
/// An input is no vector.
pub fn broadcast_args(c: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (c.with_rank(0, 1)?.dim(0), c.with_rank(1, 1)?.dim(0));
    c.set_output(0, PartialShape::new(&[a.zip(b).map(|(a, b)| a.max(b))]));
    Ok(())
}

/// The broadcast of two shapes as far as it is known; an error where they cannot broadcast.
///
/// # Errors
/// The shapes do not broadcast.
pub fn broadcast_partial(a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    let (Some(x), Some(y)) = (a.dims(), b.dims()) else { return Ok(PartialShape::unknown()) };
    aligned(x, y)
        .map(|pair| match pair {
            (Some(1), d) | (d, Some(1)) => Ok(d),
            (Some(x), Some(y)) if x != y => Err(shape_error(format!("incompatible shapes: {a} and {b}"))),
            (Some(x), Some(_)) => Ok(Some(x)),
            (Some(d), None) | (None, Some(d)) if d > 1 => Ok(Some(d)),
            _ => Ok(None),
        })
        .collect()
}

/// Whether shapes of known ranks are not known well enough to say that they broadcast.
fn may_not_broadcast(a: &PartialShape, b: &PartialShape) -> bool {
    let (Some(a), Some(b)) = (a.dims(), b.dims()) else { return true };
    aligned(a, b).any(|pair| matches!(pair, (Some(d), None) | (None, Some(d)) if d != 1))
}

fn aligned<'a>(a: &'a [Dim], b: &'a [Dim]) -> impl Iterator<Item = (Dim, Dim)> + 'a {
    let rank = a.len().max(b.len());
    let at = move |dims: &[Dim], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(Some(1), |i| dims[i]);
    (0..rank).map(move |axis| (at(a, axis), at(b, axis)))
}
