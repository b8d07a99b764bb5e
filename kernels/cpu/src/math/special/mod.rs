//! Special functions.

mod bessel_i0e;
mod bessel_i1e;
mod betainc;
mod igamma;
mod igammac;
mod ndtri;
mod polygamma;
mod zeta;

pub use bessel_i0e::*;
pub use bessel_i1e::*;
pub use betainc::*;
pub use igamma::*;
pub use igammac::*;
pub use ndtri::*;
pub use polygamma::*;
pub use zeta::*;
