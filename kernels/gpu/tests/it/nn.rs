//! The kernels of `nn`.
