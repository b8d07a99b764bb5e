//! Matrix products.

pub mod batch_matmul;
pub mod batch_matmul_v2;
pub mod batch_matmul_v3;
mod batches;
pub mod einsum;
pub mod fused_matmul;
pub mod matmul;

pub use batch_matmul::*;
pub use batch_matmul_v2::*;
pub use batch_matmul_v3::*;
pub use einsum::*;
pub use fused_matmul::*;
pub use matmul::*;
