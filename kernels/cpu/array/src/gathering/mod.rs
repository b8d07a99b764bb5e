//! Slices and elements picked by index.

pub(crate) mod coordinates;
pub mod gather;
pub mod gather_nd;
pub mod where_indices;

pub use gather::*;
pub use gather_nd::*;
pub use where_indices::*;
