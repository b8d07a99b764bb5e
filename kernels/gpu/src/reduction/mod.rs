//! Sums, means, extrema along axes and by segment; running sums.
//!
//! The axes arrive in host memory. int32 is reduced along axes there too, as TensorFlow does on GPUs: it is the dtype
//! of shapes.

mod along;
mod cumulative;
mod extrema;
mod logical_reduce;
pub mod on_host;
mod positions;
mod products;
mod scan;
mod segment_programs;
mod segments;
mod sorted_segments;
mod sparse_segment_grads;
mod sparse_segments;
mod sums;

pub use cumulative::*;
pub use extrema::*;
pub use logical_reduce::*;
pub use positions::*;
pub use products::*;
pub use segments::*;
pub use sorted_segments::*;
pub use sparse_segment_grads::*;
pub use sparse_segments::*;
pub use sums::*;
