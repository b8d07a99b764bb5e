//! The kernels of `reduction`.
