//! Stochastic dual coordinate ascent.

mod examples;
mod losses;
mod optimizer;
mod shrink;

pub use optimizer::*;
pub use shrink::*;
