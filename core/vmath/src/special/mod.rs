//! Special functions that neither the standard library nor `libm` has.
//!
//! Each names the source of its formulas; `DLMF` is the NIST Digital Library of Mathematical Functions.

mod bessel;
mod beta;
mod digamma;
mod gamma;
mod normal;
mod precision;
mod zeta;

pub use bessel::{bessel_i0e, bessel_i1e};
pub use beta::betainc;
pub use digamma::digamma;
pub use gamma::{igamma, igammac};
pub use normal::{erfinv, ndtri};
pub use precision::Precision;
pub use zeta::{polygamma, zeta};
