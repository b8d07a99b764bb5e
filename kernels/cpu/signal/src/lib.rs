//! Fourier transforms and sound.
//!
//! Over the last one, two or three axes, of all that lie along the others. A forward transform is
//! `y[k] = sum over n of x[n] * exp(-2 pi i k n / N)` along each axis; an inverse one has the other sign and divides by
//! the number of elements.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod audio;
pub mod fft;
mod lines;
pub mod mfcc;
pub mod microfrontend;
mod plans;
mod real;
pub mod rfft;
mod transform;
pub mod wav;

pub use audio::*;
pub use fft::*;
pub use mfcc::*;
pub use microfrontend::*;
pub use rfft::*;
pub use wav::*;

oplink::anchor!(ops = 0, kernels = 7);
