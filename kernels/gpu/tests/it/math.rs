//! The kernels of `math`.
