//! Arithmetic that the families of matrices and layers share.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod activation;
pub mod computed;
pub mod direct;
pub mod dot;
pub mod finish;
pub mod fused_ops;
pub mod gemm;
pub mod matrix;
pub mod packed;
mod packed_row;
pub mod panels;
mod register;
pub mod row_vector;
pub mod scratch;
pub mod shared;
mod shared_output;
pub mod source;
pub mod sums;
pub mod taps;
pub mod tile;

/// Whether the build has products and convolutions that are faster and larger: those of the feature `gemm`. Where it
/// does not, what only they need is code without callers.
pub const HAS_GEMM: bool = cfg!(feature = "gemm");

/// Multiply-adds of a product that one thread should at least have: waking another takes as long as about a tenth of
/// them. Unit tests have fewer, so that small products are shared out too.
pub const TASK_COST: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };

/// Grains of a product that are computed between two looks at the step: fewer would pack the same panels more often.
/// Without optimisation each takes many times as long.
const POLLED_GRAINS: usize = if cfg!(debug_assertions) { 1 << 5 } else { 1 << 9 };

/// A grain of a product, and the most that is computed between two looks at the step.
pub fn polled(grain: usize) -> (usize, usize) {
    (grain, grain.saturating_mul(POLLED_GRAINS))
}
