//! Ops of old graphs that the ops without `Batch` in their names have replaced.

use oplink::prelude::*;

use super::shapes::Matrices;

/// As `Cholesky`.
#[op("BatchCholesky",
     input = "input: T",
     output = "output: T",
     attr = "T: {double, float}",
     deprecated(since = 13, note = "Use Cholesky instead."),
     shape = shape_fns::unknown)]
pub struct BatchCholesky;

/// As `CholeskyGrad`.
#[op("BatchCholeskyGrad",
     input = "l: T",
     input = "grad: T",
     output = "output: T",
     attr = "T: {float, double}",
     deprecated(since = 13, note = "Use CholeskyGrad instead."),
     shape = shape_fns::unknown)]
pub struct BatchCholeskyGrad;

/// As `MatrixInverse`.
#[op("BatchMatrixInverse",
     input = "input: T",
     output = "output: T",
     attr = "adjoint: bool = false",
     attr = "T: {double, float}",
     deprecated(since = 13, note = "Use MatrixInverse instead."),
     shape = shape_fns::unknown)]
pub struct BatchMatrixInverse;

/// As `MatrixDeterminant`.
#[op("BatchMatrixDeterminant",
     input = "input: T",
     output = "output: T",
     attr = "T: {float, double, complex64, complex128}",
     deprecated(since = 13, note = "Use MatrixDeterminant instead."),
     shape = shape_fns::unknown)]
pub struct BatchMatrixDeterminant;

/// As `MatrixSolve`.
#[op("BatchMatrixSolve",
     input = "matrix: T",
     input = "rhs: T",
     output = "output: T",
     attr = "adjoint: bool = false",
     attr = "T: {double, float}",
     deprecated(since = 13, note = "Use MatrixSolve instead."),
     shape = shape_fns::unknown)]
pub struct BatchMatrixSolve;

/// As `MatrixTriangularSolve`, for matrices and right sides with the same leading axes.
#[op("BatchMatrixTriangularSolve",
     input = "matrix: T",
     input = "rhs: T",
     output = "output: T",
     attr = "lower: bool = true",
     attr = "adjoint: bool = false",
     attr = "T: {double, float}",
     deprecated(since = 13, note = "Use MatrixTriangularSolve instead."),
     shape = shape_fns::unknown)]
pub struct BatchMatrixTriangularSolve;

/// As `MatrixSolveLs`.
#[op("BatchMatrixSolveLs",
     input = "matrix: T",
     input = "rhs: T",
     input = "l2_regularizer: double",
     output = "output: T",
     attr = "T: {double, float}",
     attr = "fast: bool = true",
     deprecated(since = 13, note = "Use MatrixSolveLs instead."),
     shape = shape_fns::unknown)]
pub struct BatchMatrixSolveLs;

/// As `SelfAdjointEigV2`.
#[op("BatchSelfAdjointEigV2",
     input = "input: T",
     output = "e: T",
     output = "v: T",
     attr = "compute_v: bool = true",
     attr = "T: {double, float}",
     deprecated(since = 13, note = "Use SelfAdjointEigV2 instead."),
     shape = shape_fns::unknown)]
pub struct BatchSelfAdjointEigV2;

/// As `Svd`.
#[op("BatchSvd",
     input = "input: T",
     output = "s: T",
     output = "u: T",
     output = "v: T",
     attr = "compute_uv: bool = true",
     attr = "full_matrices: bool = false",
     attr = "T: {double, float, complex64, complex128}",
     deprecated(since = 13, note = "Use Svd instead."),
     shape = shape_fns::unknown)]
pub struct BatchSvd;

/// The eigenvalues of symmetric matrices as the first row, from the smallest to the largest, and below them
/// eigenvectors as columns: [..., n + 1, n].
#[op("SelfAdjointEig",
     input = "input: T",
     output = "output: T",
     attr = "T: {double, float, half}",
     deprecated(since = 11, note = "Use SelfAdjointEigV2 instead."),
     shape = values_and_vectors)]
pub struct SelfAdjointEig;

/// The eigenvalues of symmetric matrices as the first row, from the smallest to the largest, and below them
/// eigenvectors as columns: [..., n + 1, n].
#[op("BatchSelfAdjointEig",
     input = "input: T",
     output = "output: T",
     attr = "T: {double, float}",
     deprecated(since = 11, note = "Use SelfAdjointEigV2 instead."),
     shape = shape_fns::unknown)]
pub struct BatchSelfAdjointEig;

fn values_and_vectors(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::square(c, 0)?;
    let shape = matrices.followed_by(c, &[matrices.rows.map(|rows| rows + 1), matrices.rows]);
    c.set_output(0, shape);
    Ok(())
}
