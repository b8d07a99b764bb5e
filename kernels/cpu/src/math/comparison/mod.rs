//! Comparisons.

mod approximate_equal;
mod equal;
mod greater;
mod greater_equal;
mod less;
mod less_equal;
mod not_equal;
mod shapes;

pub use approximate_equal::*;
pub use equal::*;
pub use greater::*;
pub use greater_equal::*;
pub use less::*;
pub use less_equal::*;
pub use not_equal::*;
