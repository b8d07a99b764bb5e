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
mod segments;
mod sums;

pub use cumulative::*;
pub use extrema::*;
pub use logical_reduce::*;
pub use positions::*;
pub use products::*;
pub use segments::*;
pub use sums::*;
