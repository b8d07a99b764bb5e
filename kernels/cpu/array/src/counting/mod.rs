//! Counts of values, and indices of values among sorted ones.

pub mod bincount;
pub mod bounds;
pub mod bucketize;
pub mod histogram_fixed_width;

pub use bincount::*;
pub use bounds::*;
pub use bucketize::*;
pub use histogram_fixed_width::*;
