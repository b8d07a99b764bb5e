//! Arithmetic that the families of matrices and layers share.

pub(crate) mod gemm;
pub(crate) mod lanes;
#[cfg(feature = "nn")]
pub(crate) mod sums;
