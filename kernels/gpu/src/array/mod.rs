//! Ops that move, join, split and index elements.

pub mod constant;
pub mod handed_on;
pub mod on_host;
