//! CPU kernels: one folder a family (also a Cargo feature), one op a file.
//!
//! The crate is linked with `link!(oplink_kernels_cpu)` and contributes its ops and kernels to the registry;
//! nothing else of it is public. Every op is declared beside its kernel, so that one file says all there is to an op.
#![deny(unsafe_code)]

pub mod support;

#[cfg(any(feature = "linalg", feature = "nn"))]
mod numeric;

#[cfg(feature = "array")]
pub mod array;
#[cfg(feature = "linalg")]
pub mod linalg;
#[cfg(feature = "math")]
pub mod math;
#[cfg(feature = "nn")]
pub mod nn;
#[cfg(feature = "reduction")]
pub mod reduction;

oplink::anchor!();
