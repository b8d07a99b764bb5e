//! Eigenvalues and eigenvectors.

use oplink::prelude::*;

use super::shapes::Matrices;

/// The eigenvalues `e` of Hermitian matrices, from the smallest to the largest, and eigenvectors as the columns of `v`.
///
/// Only the lower triangle of `input` is read. Without `compute_v` `v` is empty. Eigenvectors are unique up to a factor
/// of magnitude 1 only.
#[op("SelfAdjointEigV2",
     input = "input: T",
     output = "e: T",
     output = "v: T",
     attr = "compute_v: bool = true",
     attr = "T: {double, float, half, complex64, complex128}",
     shape = eigen_shape)]
pub struct SelfAdjointEigV2;

/// The eigenvalues `e` of square matrices, in no particular order, and eigenvectors of length 1 as the columns of `v`.
///
/// Without `compute_v` `v` is empty.
#[op("Eig",
     input = "input: T",
     output = "e: Tout",
     output = "v: Tout",
     attr = "compute_v: bool = true",
     attr = "T: {float, double, complex64, complex128}",
     attr = "Tout: {complex64, complex128}",
     shape = eigen_shape)]
pub struct Eig;

pub(super) fn eigen_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::square(c, 0)?;
    let e = matrices.followed_by(c, &[matrices.rows]);
    let v = match c.attr("compute_v")? {
        true => matrices.followed_by(c, &[matrices.rows, matrices.rows]),
        false => PartialShape::new(&[Some(0)]),
    };
    c.set_output(0, e);
    c.set_output(1, v);
    Ok(())
}
