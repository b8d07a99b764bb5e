//! Sparse tensors.

mod mat_mul;

pub use mat_mul::*;
