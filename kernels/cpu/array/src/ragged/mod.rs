//! Rows of unlike lengths.

pub mod ragged_range;
pub mod ragged_tensor_to_tensor;

pub use ragged_range::*;
pub use ragged_tensor_to_tensor::*;
