//! Ops that choose among elements.

mod clip_by_value;
mod select;
mod select_v2;

pub use clip_by_value::*;
pub use select::*;
pub use select_v2::*;
