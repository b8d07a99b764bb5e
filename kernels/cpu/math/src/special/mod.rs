//! Special functions.

mod bessel_i0e;
mod bessel_i1e;
mod betainc;
mod igamma;
mod igammac;
mod ndtri;
mod polygamma;
mod zeta;

pub use betainc::*;
