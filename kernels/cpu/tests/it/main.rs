//! Tests of the CPU kernels against TensorFlow.

#[cfg(feature = "array")]
mod array;
mod case;
#[cfg(feature = "linalg")]
mod einsum;
mod golden;
#[cfg(any(feature = "array", feature = "linalg", feature = "math", feature = "reduction", feature = "state"))]
mod inference;
#[cfg(feature = "io")]
mod io;
#[cfg(feature = "math")]
mod math;
#[cfg(all(feature = "linalg", feature = "nn"))]
mod nn;
#[cfg(feature = "state")]
mod program;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "reduction")]
mod reduction;
#[cfg(feature = "signal")]
mod signal;
#[cfg(feature = "state")]
mod state;
#[cfg(feature = "string")]
mod string;
#[cfg(all(feature = "state", feature = "training"))]
mod training;

oplink::link!(oplink_kernels_cpu);
