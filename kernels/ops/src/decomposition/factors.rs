//! Matrices as products of simpler ones.

use oplink::prelude::*;

use super::shapes::{Matrices, square};

/// The lower triangular matrices `L` with `L L^H = input`, for positive definite Hermitian matrices.
///
/// Only the lower triangle of `input` is read. Of a matrix that is not positive definite the triangle is NaN.
#[op("Cholesky", input = "input: T", output = "output: T", attr = "T: {double, float, half, complex64, complex128}",
     shape = square)]
pub struct Cholesky;

/// The gradient of `Cholesky`, of its output `l` and the gradient of that.
#[op("CholeskyGrad", input = "l: T", input = "grad: T", output = "output: T", attr = "T: {half, float, double}",
     shape = square)]
pub struct CholeskyGrad;

/// Matrices `q` with orthonormal columns and upper triangular `r`, with `q r = input`.
///
/// With `full_matrices` `q` is square, else it has as many columns as the smaller extent of `input`. The diagonal of
/// `r` is real; of real matrices it has the sign opposite to what is eliminated.
#[op("Qr",
     input = "input: T",
     output = "q: T",
     output = "r: T",
     attr = "full_matrices: bool = false",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = qr_shape)]
pub struct Qr;

/// Lower and upper triangular matrices with `input[p] = L U`, by partial pivoting.
///
/// `lu` holds `U`, and `L` without its diagonal of ones below. Singular matrices are errors.
#[op("Lu",
     input = "input: T",
     output = "lu: T",
     output = "p: output_idx_type",
     attr = "T: {double, float, half, complex64, complex128}",
     attr = "output_idx_type: {int32, int64} = DT_INT32",
     shape = lu_shape)]
pub struct Lu;

/// The singular values `s`, from the largest to the smallest, and matrices with `u diag(s) v^H = input`.
///
/// With `full_matrices` `u` and `v` are square, else they have as many columns as there are singular values. Without
/// `compute_uv` they are empty. Singular vectors are unique up to a factor of magnitude 1 only.
#[op("Svd",
     input = "input: T",
     output = "s: T",
     output = "u: T",
     output = "v: T",
     attr = "compute_uv: bool = true",
     attr = "full_matrices: bool = false",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = svd_shape)]
pub struct Svd;

fn qr_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::of(c, 0)?;
    let (rows, columns) = (matrices.rows, matrices.columns);
    let inner = if c.attr("full_matrices")? { rows } else { matrices.smaller() };
    let (q, r) = (matrices.followed_by(c, &[rows, inner]), matrices.followed_by(c, &[inner, columns]));
    c.set_output(0, q);
    c.set_output(1, r);
    Ok(())
}

fn lu_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::square(c, 0)?;
    let (lu, p) = (matrices.followed_by(c, &[matrices.rows, matrices.rows]), matrices.followed_by(c, &[matrices.rows]));
    c.set_output(0, lu);
    c.set_output(1, p);
    Ok(())
}

pub(super) fn svd_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::of(c, 0)?;
    let (rows, columns, smaller) = (matrices.rows, matrices.columns, matrices.smaller());
    let s = matrices.followed_by(c, &[smaller]);
    c.set_output(0, s);
    let [u, v] = match (c.attr("compute_uv")?, c.attr("full_matrices")?) {
        (false, _) => [PartialShape::new(&[Some(0)]), PartialShape::new(&[Some(0)])],
        (true, true) => [[rows, rows], [columns, columns]].map(|axes| matrices.followed_by(c, &axes)),
        (true, false) => [[rows, smaller], [columns, smaller]].map(|axes| matrices.followed_by(c, &axes)),
    };
    c.set_output(1, u);
    c.set_output(2, v);
    Ok(())
}
