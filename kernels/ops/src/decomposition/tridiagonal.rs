//! Matrices with three diagonals.

use oplink::prelude::*;

use super::shapes::Matrices;

/// Solves `A x = rhs` for matrices `A` with three diagonals.
///
/// `diagonals` is [..., 3, n]: the one above the main diagonal, whose last number does not count, the main one, and the
/// one below, whose first number does not count. `rhs` is [..., n, k]. With `partial_pivoting` rows are exchanged for
/// larger pivots. `perturb_singular` is not implemented.
#[op("TridiagonalSolve",
     input = "diagonals: T",
     input = "rhs: T",
     output = "output: T",
     attr = "partial_pivoting: bool = true",
     attr = "perturb_singular: bool = false",
     attr = "T: {double, float, complex64, complex128}",
     shape = tridiagonal_solve_shape)]
pub struct TridiagonalSolve;

/// Multiplies matrices with three diagonals, each [..., 1, n], by `rhs`, [..., n, k].
///
/// The last number of `superdiag` and the first of `subdiag` do not count.
#[op("TridiagonalMatMul",
     input = "superdiag: T",
     input = "maindiag: T",
     input = "subdiag: T",
     input = "rhs: T",
     output = "output: T",
     attr = "T: {double, float, complex64, complex128}",
     shape = tridiagonal_product_shape)]
pub struct TridiagonalMatMul;

fn tridiagonal_solve_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (diagonals, rhs) = (Matrices::of(c, 0)?, Matrices::of(c, 1)?);
    c.merge(&diagonals.batch, &rhs.batch)?;
    c.merge_dim(diagonals.rows, Some(3))?;
    c.merge_dim(diagonals.columns, rhs.rows)?;
    let shape = c.input(1).clone();
    c.set_output(0, shape);
    Ok(())
}

fn tridiagonal_product_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let rhs = Matrices::of(c, 3)?;
    for input in 0..3 {
        let diagonal = Matrices::of(c, input)?;
        c.merge_dim(diagonal.rows, Some(1))?;
        c.merge_dim(rhs.rows, diagonal.columns)?;
        c.merge(&rhs.batch, &diagonal.batch)?;
    }
    let shape = c.input(3).clone();
    c.set_output(0, shape);
    Ok(())
}
