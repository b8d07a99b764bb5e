//! Comparisons.

mod approximate_equal;
mod equal;
mod not_equal;
mod shapes;

pub use equal::*;
pub use not_equal::*;
