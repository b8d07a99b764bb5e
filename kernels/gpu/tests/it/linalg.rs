//! The kernels of `linalg`.
