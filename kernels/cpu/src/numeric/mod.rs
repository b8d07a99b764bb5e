//! Arithmetic that the families of matrices and layers share.

pub(crate) mod activation;
pub(crate) mod gemm;
pub(crate) mod lanes;
pub(crate) mod panels;
pub(crate) mod scratch;
pub(crate) mod sums;
pub(crate) mod tile;
