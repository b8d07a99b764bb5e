//! The kernels of `random`.
