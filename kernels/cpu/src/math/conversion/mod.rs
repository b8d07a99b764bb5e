//! Conversions between dtypes.

mod cast;
mod convert;

pub use cast::*;
