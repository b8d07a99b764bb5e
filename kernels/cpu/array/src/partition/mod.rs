//! Slices shared out by number, and put together by index.

pub mod dynamic_partition;
pub mod dynamic_stitch;

pub use dynamic_partition::*;
pub use dynamic_stitch::*;
