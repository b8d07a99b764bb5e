//! Truth values.

mod logical_and;
mod logical_not;
mod logical_or;

pub use logical_and::*;
pub use logical_not::*;
pub use logical_or::*;
