//! Tensors with a border, and repeated.

pub mod mirror_pad;
pub mod pad;
pub mod tile;

pub use mirror_pad::*;
pub use pad::*;
pub use tile::*;
