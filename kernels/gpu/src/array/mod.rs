//! Ops that move, join, split and index elements.

pub mod constant;
pub mod gather;
pub mod handed_on;
pub mod moved;
pub mod on_host;
pub mod one_hot;
mod pad;
pub mod scatter;
pub mod where_indices;
