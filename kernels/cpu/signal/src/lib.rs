//! Fourier transforms.
//!
//! Over the last one, two or three axes, of all that lie along the others. A forward transform is
//! `y[k] = sum over n of x[n] * exp(-2 pi i k n / N)` along each axis; an inverse one has the other sign and divides by
//! the number of elements.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod fft;
mod lines;
mod plans;
mod real;
pub mod rfft;
mod transform;

pub use fft::*;
pub use rfft::*;

oplink::anchor!(ops = 0, kernels = 2);
