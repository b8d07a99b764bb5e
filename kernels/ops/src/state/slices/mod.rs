//! Parts of variables: rows by index, slices by coordinates, strided regions, read and changed where they stand.

mod layout;
mod resource_gather;
mod resource_gather_nd;
mod scatter_add;
mod scatter_div;
mod scatter_max;
mod scatter_min;
mod scatter_mul;
mod scatter_nd_add;
mod scatter_nd_max;
mod scatter_nd_min;
mod scatter_nd_sub;
mod scatter_nd_update;
mod scatter_sub;
mod scatter_update;
mod shapes;
mod strided_slice_assign;

pub use layout::*;
pub use resource_gather::*;
pub use resource_gather_nd::*;
pub use scatter_add::*;
pub use scatter_div::*;
pub use scatter_max::*;
pub use scatter_min::*;
pub use scatter_mul::*;
pub use scatter_nd_add::*;
pub use scatter_nd_max::*;
pub use scatter_nd_min::*;
pub use scatter_nd_sub::*;
pub use scatter_nd_update::*;
pub use scatter_sub::*;
pub use scatter_update::*;
pub use strided_slice_assign::*;
