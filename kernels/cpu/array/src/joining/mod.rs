//! Tensors joined and taken apart along an axis.

pub mod concat;
pub mod pack;
pub mod split;

pub use concat::*;
pub use pack::*;
pub use split::*;
