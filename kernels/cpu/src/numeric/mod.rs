//! Arithmetic that the families of matrices and layers share.

pub(crate) mod activation;
pub(crate) mod finish;
pub(crate) mod fused_ops;
pub(crate) mod gemm;
pub(crate) mod lanes;
pub(crate) mod matrix;
pub(crate) mod panels;
mod register;
pub(crate) mod scratch;
pub(crate) mod sums;
#[cfg(feature = "nn")]
pub(crate) mod taps;
pub(crate) mod tile;

/// Multiply-adds of a product that one thread should at least have: waking another takes as long as about a tenth of them.
/// Unit tests have fewer, so that small products are shared out too.
pub(crate) const TASK_COST: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };
