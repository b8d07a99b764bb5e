//! Inverses, determinants, and functions of whole matrices.

use oplink::prelude::*;

use super::shapes::{Matrices, square};

/// The inverses of square matrices, or with `adjoint` of their conjugate transposes; singular ones are errors.
#[op("MatrixInverse",
     input = "input: T",
     output = "output: T",
     attr = "adjoint: bool = false",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = square)]
pub struct MatrixInverse;

/// The determinants of square matrices.
#[op("MatrixDeterminant", input = "input: T", output = "output: T",
     attr = "T: {half, float, double, complex64, complex128}", shape = determinant_shape)]
pub struct MatrixDeterminant;

/// The determinants of square matrices, as a number of magnitude 1 and the logarithm of the magnitude.
///
/// Of a singular matrix `sign` is 0 and the logarithm negative infinity.
#[op("LogMatrixDeterminant",
     input = "input: T",
     output = "sign: T",
     output = "log_abs_determinant: T",
     attr = "T: {half, float, double, complex64, complex128}",
     shape = log_determinant_shape)]
pub struct LogMatrixDeterminant;

/// The matrices whose square is `input`: those with eigenvalues of real parts >= 0.
///
/// By the Schur form, in double precision (Björck and Hammarling, "A Schur method for the square root of a matrix",
/// 1983). Matrices without such a root give NaN.
#[op("MatrixSquareRoot", input = "input: T", output = "output: T",
     attr = "T: {double, float, half, complex64, complex128}", shape = square)]
pub struct MatrixSquareRoot;

/// The matrices whose exponentials are `input`: those with eigenvalues of imaginary parts in (-π, π].
///
/// By the Schur form, in double precision: roots are taken until the matrix is near the identity, whose logarithm is a
/// series (Higham, "Functions of Matrices", 2008, chapter 11). Matrices without a logarithm give NaN or infinities.
#[op("MatrixLogarithm", input = "input: T", output = "output: T", attr = "T: {complex64, complex128}", shape = square)]
pub struct MatrixLogarithm;

/// The exponentials of square matrices, `I + A + A² / 2! + …`.
///
/// In double precision: of a fraction of the matrix by the series, then squared (Higham, chapter 10).
#[op("MatrixExponential", input = "input: T", output = "output: T",
     attr = "T: {double, float, half, complex64, complex128}",
     deprecated(since = 27, note = "Use Python implementation tf.linalg.matrix_exponential instead."),
     shape = square)]
pub struct MatrixExponential;

pub(super) fn determinant_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = Matrices::square(c, 0)?.batch;
    c.set_output(0, shape);
    Ok(())
}

fn log_determinant_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = Matrices::square(c, 0)?.batch;
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}
