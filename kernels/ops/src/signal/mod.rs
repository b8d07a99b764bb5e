//! Fourier transforms and sound.

mod audio;
mod fourier;
mod microfrontend;

pub use audio::*;
pub use fourier::*;
pub use microfrontend::*;
