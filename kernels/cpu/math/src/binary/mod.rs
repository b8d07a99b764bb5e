//! Functions of two tensors whose elements or shapes are checked first, and those of strings.

mod cross;
mod division;
mod power;
mod strings;

pub use cross::*;
pub use division::*;
pub use power::*;
pub use strings::*;
