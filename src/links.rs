//! Names the built-in kernels and devices, so that the linker keeps them and sealing notices where it did not.

#[cfg(any(feature = "array", feature = "linalg", feature = "math", feature = "nn", feature = "reduction"))]
oplink_api::link!(oplink_kernels_cpu);
