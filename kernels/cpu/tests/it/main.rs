//! Tests of the CPU kernels against TensorFlow.

#[cfg(feature = "array")]
mod array;
mod golden;
#[cfg(feature = "math")]
mod math;
#[cfg(all(feature = "linalg", feature = "nn"))]
mod nn;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "reduction")]
mod reduction;
