//! Special functions that neither the standard library nor `libm` has.
//!
//! Each names the source of its formulas; `DLMF` is the NIST Digital Library of Mathematical Functions.

mod bessel;
mod bessel_oscillating;
mod bessel_second;
mod beta;
mod digamma;
mod gamma;
mod gamma_derivative;
mod integrals;
mod normal;
mod precision;
mod zeta;

pub use bessel::{bessel_i0, bessel_i0e, bessel_i1, bessel_i1e};
pub use bessel_oscillating::{bessel_j0, bessel_j1, bessel_y0, bessel_y1};
pub use bessel_second::{bessel_k0, bessel_k0e, bessel_k1, bessel_k1e};
pub use beta::betainc;
pub use digamma::digamma;
pub use gamma::{igamma, igammac};
pub use gamma_derivative::{igamma_grad_a, random_gamma_grad};
pub use integrals::{dawsn, expint, fresnel_cos, fresnel_sin, spence};
pub use normal::{erfinv, ndtri};
pub use precision::Precision;
pub use zeta::{polygamma, zeta};
