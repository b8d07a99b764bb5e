//! Sums, products and extrema of rows by segment.

mod engine;
pub mod sorted;
pub mod sparse;
pub mod sparse_grad;
pub mod unsorted;

pub use sorted::*;
pub use sparse::*;
pub use sparse_grad::*;
pub use unsorted::*;
