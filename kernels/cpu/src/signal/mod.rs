//! Fourier transforms.
//!
//! Over the last one, two or three axes, of all that lie along the others. A forward transform is
//! `y[k] = sum over n of x[n] * exp(-2 pi i k n / N)` along each axis; an inverse one has the other sign and divides by the
//! number of elements.

pub mod fft;
pub mod ifft;
pub mod irfft;
mod lines;
mod plans;
mod real;
pub mod rfft;
mod transform;

pub use fft::*;
pub use ifft::*;
pub use irfft::*;
pub use rfft::*;
