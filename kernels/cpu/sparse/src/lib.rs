//! Sparse tensors and sets.
//!
//! A sparse tensor is three tensors: int64 indices [count, rank], values [count] and a dense shape [rank].
#![deny(unsafe_code)]

mod coordinates;
pub mod csr;
pub mod dense_cwise;
pub mod fill_empty_rows;
mod gather;
pub mod join;
pub mod mat_mul;
pub mod merge;
pub mod reduce;
pub mod reorder;
pub mod reshape;
pub mod set_operation;
mod sets;
pub mod slice;
pub mod softmax;
pub mod to_dense;

pub use csr::*;
pub use dense_cwise::*;
pub use fill_empty_rows::*;
pub use join::*;
pub use mat_mul::*;
pub use merge::*;
pub use reduce::*;
pub use reorder::*;
pub use reshape::*;
pub use set_operation::*;
pub use slice::*;
pub use softmax::*;
pub use to_dense::*;

oplink::anchor!(ops = 0, kernels = 40);
