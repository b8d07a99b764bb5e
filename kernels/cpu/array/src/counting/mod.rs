//! Counts of values, and indices of values among sorted ones.

pub mod bincount;
pub mod bounds;
pub mod bucketize;
pub mod count_sparse_output;
pub mod histogram_fixed_width;
mod rows;
pub mod sparse_bincount;

pub use bincount::*;
pub use bounds::*;
pub use bucketize::*;
pub use count_sparse_output::*;
pub use histogram_fixed_width::*;
pub use sparse_bincount::*;
