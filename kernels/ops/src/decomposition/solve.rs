//! Systems of linear equations.

use oplink::prelude::*;

use super::shapes::Matrices;

/// Solves `matrix x = rhs`, or with `adjoint` `matrix^H x = rhs`, for square matrices; singular ones are errors.
///
/// `matrix` is [..., n, n] and `rhs` [..., n, k] with the same leading axes.
#[op("MatrixSolve",
     input = "matrix: T",
     input = "rhs: T",
     output = "output: T",
     attr = "adjoint: bool = false",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = solve_shape)]
pub struct MatrixSolve;

/// Solves `matrix x = rhs` for lower or upper triangular matrices; the leading axes broadcast.
///
/// The other triangle is not read. With `adjoint` it solves `matrix^H x = rhs`. A zero on the diagonal gives infinities
/// and NaN.
#[op("MatrixTriangularSolve",
     input = "matrix: T",
     input = "rhs: T",
     output = "output: T",
     attr = "lower: bool = true",
     attr = "adjoint: bool = false",
     attr = "T: {bfloat16, double, float, half, complex64, complex128}",
     shape = triangular_solve_shape)]
pub struct MatrixTriangularSolve;

/// As `MatrixTriangularSolve` for matrices given by their diagonals, [..., diagonals, n].
///
/// Number `i` of a row of `matrix` lies in row `i`. Of lower triangular ones the first row is the main diagonal and
/// those below follow; of upper triangular ones the last row is the main diagonal and those above come before.
#[op("BandedTriangularSolve",
     input = "matrix: T",
     input = "rhs: T",
     output = "output: T",
     attr = "lower: bool = true",
     attr = "adjoint: bool = false",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = banded_solve_shape)]
pub struct BandedTriangularSolve;

/// The `x` for which `|matrix x - rhs|^2 + l2_regularizer |x|^2` is smallest; of several the shortest.
///
/// `matrix` is [..., m, n], `rhs` [..., m, k], `x` [..., n, k]. With `fast` by the normal equations, which is an error
/// where they cannot be solved; without it by singular values, and without the regularizer.
#[op("MatrixSolveLs",
     input = "matrix: T",
     input = "rhs: T",
     input = "l2_regularizer: double",
     output = "output: T",
     attr = "T: {double, float, half, complex64, complex128}",
     attr = "fast: bool = true",
     shape = least_squares_shape)]
pub struct MatrixSolveLs;

/// The shape of the solutions, where the batch of both inputs is one.
fn solutions(c: &mut ShapeContext<'_>, matrix: &Matrices) -> Result<()> {
    let rhs = Matrices::of(c, 1)?;
    let batch = c.merge(&matrix.batch, &rhs.batch)?;
    c.merge_dim(matrix.rows, rhs.rows)?;
    let shape = c.concatenate(&batch, &PartialShape::new(&[matrix.columns, rhs.columns]));
    c.set_output(0, shape);
    Ok(())
}

pub(super) fn solve_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrix = Matrices::square(c, 0)?;
    let rows = c.merge_dim(matrix.rows, Matrices::of(c, 1)?.rows)?;
    solutions(c, &Matrices { rows, columns: rows, ..matrix })
}

pub(super) fn least_squares_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrix = Matrices::of(c, 0)?;
    c.with_rank(2, 0)?;
    solutions(c, &matrix)
}

/// The shape of solutions whose leading axes broadcast.
fn broadcast_solutions(c: &mut ShapeContext<'_>, rows: Option<usize>) -> Result<()> {
    let (matrix, rhs) = (Matrices::of(c, 0)?, Matrices::of(c, 1)?);
    let rows = c.merge_dim(rows, rhs.rows)?;
    let batch = shape_fns::broadcast_partial(&matrix.batch, &rhs.batch)?;
    let shape = c.concatenate(&batch, &PartialShape::new(&[rows, rhs.columns]));
    c.set_output(0, shape);
    Ok(())
}

fn triangular_solve_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let rows = Matrices::square(c, 0)?.rows;
    broadcast_solutions(c, rows)
}

fn banded_solve_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrix = Matrices::of(c, 0)?;
    ensure!(matrix.rows != Some(0), "matrix must have a diagonal");
    broadcast_solutions(c, matrix.columns)
}
