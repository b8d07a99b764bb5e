//! Shape functions of `OneHot`, `Where` and the matrix diagonals.

use crate::shape_inference::{normalize_axis, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `OneHot`: the shape of `indices` with the extent `depth` (scalar input 1) inserted at the attr `axis`, -1 being the
/// end.
///
/// # Errors
/// `axis` is below -1 or beyond the rank, or `depth` is negative or no scalar.
pub fn one_hot(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis = c.attr::<i64>("axis")?;
    if axis < -1 {
        return Err(shape_error(format!("axis must be >= -1, it is {axis}")));
    }
    c.with_rank(1, 0)?;
    let depth = match c.constant_int(1)? {
        Some(depth) if depth < 0 => return Err(shape_error(format!("depth must be >= 0, it is {depth}"))),
        depth => depth.map(|depth| depth as usize),
    };
    let Some(dims) = c.input(0).dims() else { return Ok(()) };
    let axis = normalize_axis(axis, dims.len() + 1).map_err(|e| shape_error(e.message()))?;
    let mut out = dims.to_vec();
    out.insert(axis, depth);
    c.set_output(0, PartialShape::new(&out));
    Ok(())
}

/// `Where`: one row of as many indices as the input has dimensions for each of an unknown number of true elements.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn where_indices(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::new(&[None, c.input(0).rank()]));
    Ok(())
}

/// `MatrixDiag`: the last extent twice.
///
/// # Errors
/// The input is a scalar.
pub fn matrix_diag(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut out = c.with_rank_at_least(0, 1)?;
    out.push(out.rank().and_then(|rank| out.dim(rank - 1)));
    c.set_output(0, out);
    Ok(())
}

/// `MatrixDiagPart`: the smaller of the last two extents in place of both.
///
/// # Errors
/// The input has fewer than two dimensions.
pub fn matrix_diag_part(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 2)?;
    let Some([batch @ .., rows, cols]) = input.dims() else { return Ok(()) };
    let mut out = PartialShape::new(batch);
    out.push(rows.zip(*cols).map(|(rows, cols)| rows.min(cols)));
    c.set_output(0, out);
    Ok(())
}

/// `MatrixBandPart`: unchanged. That there are matrices in the last two axes is for the kernel to check.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn matrix_band_part(c: &mut ShapeContext<'_>) -> Result<()> {
    super::unchanged(c)
}
