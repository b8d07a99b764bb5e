//! Integers as bit patterns.

mod bitwise_and;
mod bitwise_or;
mod bitwise_xor;
mod invert;
mod left_shift;
mod population_count;
mod right_shift;

pub use bitwise_and::*;
pub use bitwise_or::*;
pub use bitwise_xor::*;
pub use invert::*;
pub use left_shift::*;
pub use population_count::*;
pub use right_shift::*;
