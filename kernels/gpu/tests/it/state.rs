//! The kernels of `state`.
