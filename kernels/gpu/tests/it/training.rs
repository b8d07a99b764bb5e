//! The kernels of `training`.
