//! Sums, products, extrema and scans along axes.

mod cumulative;
mod extrema;
mod logical;
mod segments;
mod sparse_segments;
mod sums;
mod top_k;

pub use cumulative::*;
pub use extrema::*;
pub use logical::*;
pub use segments::*;
pub use sparse_segments::*;
pub use sums::*;
pub use top_k::*;
