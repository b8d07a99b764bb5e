//! Parts of variables: rows by index, slices by coordinates, strided regions, read and changed where they stand.

mod resource_gather;
mod scatter;
mod scatter_nd;
mod strided_slice_assign;

pub use resource_gather::*;
pub use scatter::*;
pub use scatter_nd::*;
pub use strided_slice_assign::*;
