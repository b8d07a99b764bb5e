//! Tests of the CPU kernels against TensorFlow.

#[cfg(feature = "array")]
mod array;
mod golden;
#[cfg(feature = "io")]
mod io;
#[cfg(feature = "state")]
mod inference;
#[cfg(feature = "math")]
mod math;
#[cfg(all(feature = "linalg", feature = "nn"))]
mod nn;
#[cfg(any(feature = "state", feature = "training"))]
mod program;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "reduction")]
mod reduction;
#[cfg(feature = "state")]
mod state;
#[cfg(feature = "signal")]
mod signal;
#[cfg(feature = "string")]
mod string;
