//! Matrix products.

pub mod einsum;
mod matmul;
mod nearest_neighbors;

pub use einsum::{Einsum, einsum};
pub use matmul::*;
pub use nearest_neighbors::*;
