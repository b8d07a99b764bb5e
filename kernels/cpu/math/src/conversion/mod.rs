//! Conversions between dtypes.

mod cast;
mod cast_small;
mod convert;
mod float8;
mod pairs;

pub use cast::*;
pub use cast_small::*;
