//! Sums of any number of tensors.

mod accumulate;
mod accumulate_n_v2;
mod add_n;

pub use accumulate_n_v2::*;
pub use add_n::*;
