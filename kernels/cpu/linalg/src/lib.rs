//! Matrix products.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod batch_matmul;
mod batches;
pub mod einsum;
pub mod fused_matmul;
mod halves;
pub mod matmul;
pub mod nearest_neighbors;

pub use batch_matmul::*;
pub use einsum::*;
pub use fused_matmul::*;
pub use matmul::*;
pub use nearest_neighbors::*;

oplink::anchor!(ops = 0, kernels = 20);
