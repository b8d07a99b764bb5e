//! Sums, products and extrema of rows by segment.

mod engine;
pub mod segment_max;
pub mod segment_mean;
pub mod segment_min;
pub mod segment_prod;
pub mod segment_sum;
pub mod sparse_segment_mean;
pub mod sparse_segment_sqrt_n;
pub mod sparse_segment_sum;
pub mod unsorted_segment_max;
pub mod unsorted_segment_min;
pub mod unsorted_segment_prod;
pub mod unsorted_segment_sum;

pub use engine::num_segments;
pub use segment_max::*;
pub use segment_mean::*;
pub use segment_min::*;
pub use segment_prod::*;
pub use segment_sum::*;
pub use sparse_segment_mean::*;
pub use sparse_segment_sqrt_n::*;
pub use sparse_segment_sum::*;
pub use unsorted_segment_max::*;
pub use unsorted_segment_min::*;
pub use unsorted_segment_prod::*;
pub use unsorted_segment_sum::*;
