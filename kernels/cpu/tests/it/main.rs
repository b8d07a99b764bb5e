//! Tests of the CPU kernels against TensorFlow.

mod array;
mod golden;
#[cfg(all(feature = "linalg", feature = "nn"))]
mod nn;
#[cfg(feature = "reduction")]
mod reduction;
#[cfg(feature = "math")]
mod math;
