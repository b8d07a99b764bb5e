//! Matrix products.

pub mod batch_matmul;
pub mod matmul;

pub use batch_matmul::*;
pub use matmul::*;
