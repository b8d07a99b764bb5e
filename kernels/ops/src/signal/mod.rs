//! Fourier transforms.

mod fourier;

pub use fourier::*;
