//! Slices written to, or combined with, locations given by coordinates.

pub mod engine;
pub mod scatter_nd;
pub mod tensor_scatter;

pub use scatter_nd::*;
pub use tensor_scatter::*;
