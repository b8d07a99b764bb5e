//! Matrix products.
//!
//! `product` has every product of the family as a batch of strided matrices; a device's library is asked for it first.

mod batch_matmul;
mod einsum;
mod fused_matmul;
mod matmul;
mod product;
mod programs;

pub use batch_matmul::*;
pub use einsum::*;
pub use fused_matmul::*;
pub use matmul::*;
