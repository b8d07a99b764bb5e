//! Shape functions of matrix products.

use super::broadcast::broadcast_partial;
use crate::shape::Dim;
use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `MatMul`: two matrices; the attrs `transpose_a` and `transpose_b` swap the axes of one.
///
/// # Errors
/// An input is no matrix, or the inner extents differ.
pub fn matmul(c: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (c.with_rank(0, 2)?, c.with_rank(1, 2)?);
    let (rows, cols) = product(&a, &b, flag(c, "transpose_a"), flag(c, "transpose_b"))?;
    c.set_output(0, PartialShape::new(&[rows, cols]));
    Ok(())
}

/// `BatchMatMulV2` and `V3`: matrices in the last two axes, adjoint by the attrs `adj_x` and `adj_y`; the other axes
/// broadcast.
///
/// # Errors
/// An input has fewer than two dimensions, the inner extents differ, or the other axes do not broadcast.
pub fn batch_matmul(c: &mut ShapeContext<'_>) -> Result<()> {
    batched(c, broadcast_partial)
}

/// `BatchMatMul`: as [`batch_matmul`], but the other axes must be equal.
///
/// # Errors
/// An input has fewer than two dimensions, or the inner extents or the other axes differ.
pub fn batch_matmul_v1(c: &mut ShapeContext<'_>) -> Result<()> {
    batched(c, merge_shapes)
}

fn batched(c: &mut ShapeContext<'_>, combine: fn(&PartialShape, &PartialShape) -> Result<PartialShape>) -> Result<()> {
    let (x, y) = (c.with_rank_at_least(0, 2)?, c.with_rank_at_least(1, 2)?);
    let matrix = |s: &PartialShape| match s.rank() {
        Some(_) => c.subshape(s, -2, None),
        None => Ok(PartialShape::unknown_of_rank(2)),
    };
    let (rows, cols) = product(&matrix(&x)?, &matrix(&y)?, flag(c, "adj_x"), flag(c, "adj_y"))?;
    let batch = combine(&c.subshape(&x, 0, Some(-2))?, &c.subshape(&y, 0, Some(-2))?)?;
    let shape = c.concatenate(&batch, &PartialShape::new(&[rows, cols]));
    c.set_output(0, shape);
    Ok(())
}

fn flag(c: &ShapeContext<'_>, name: &str) -> bool {
    c.attr(name).unwrap_or(false)
}

/// Rows and columns of the product of two matrices; an error where the inner extents differ.
fn product(a: &PartialShape, b: &PartialShape, transpose_a: bool, transpose_b: bool) -> Result<(Dim, Dim)> {
    let axes = |s: &PartialShape, transpose: bool| if transpose { (s.dim(1), s.dim(0)) } else { (s.dim(0), s.dim(1)) };
    let ((rows, inner_a), (inner_b, cols)) = (axes(a, transpose_a), axes(b, transpose_b));
    match (inner_a, inner_b) {
        (Some(x), Some(y)) if x != y => Err(shape_error(format!(
            "matrix size-incompatible: {a} and {b} have the inner extents {x} and {y}, which must be equal"
        ))),
        _ => Ok((rows, cols)),
    }
}
