//! Fourier transforms and sound.

mod audio;
mod fourier;

pub use audio::*;
pub use fourier::*;
