//! Sums, means, extrema along axes; running sums.
//!
//! The axes arrive in host memory. int32 is reduced there too, as TensorFlow does on GPUs: it is the dtype of shapes.

mod along;
mod cumulative;
mod extrema;
mod positions;
mod products;
mod scan;
mod sums;
mod truth;

pub use cumulative::*;
pub use extrema::*;
pub use positions::*;
pub use products::*;
pub use sums::*;
pub use truth::*;
