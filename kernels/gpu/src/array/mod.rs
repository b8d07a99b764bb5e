//! Ops that move, join, split and index elements.

pub mod alias_ops;
pub mod bucketize;
pub mod constant;
pub mod copy_ops;
pub mod counting;
pub mod diagonals;
pub mod gather;
pub mod on_host;
pub mod one_hot;
pub mod pad;
pub mod scatter;
pub mod where_indices;
