//! Matrix products.

pub mod einsum;
mod matmul;

pub use einsum::{Einsum, einsum};
pub use matmul::*;
