//! Parts of variables: rows by index, slices by coordinates, strided regions, read and changed where they stand.

mod coordinates;
mod quotient;
mod rows;
mod shapes;

pub mod resource_gather;
pub mod resource_gather_nd;
pub mod scatter_add;
pub mod scatter_div;
pub mod scatter_max;
pub mod scatter_min;
pub mod scatter_mul;
pub mod scatter_nd_add;
pub mod scatter_nd_max;
pub mod scatter_nd_min;
pub mod scatter_nd_sub;
pub mod scatter_nd_update;
pub mod scatter_sub;
pub mod scatter_update;
pub mod strided_slice_assign;

pub use coordinates::slice_coordinates;
pub use resource_gather::*;
pub use resource_gather_nd::*;
pub use rows::rows_of;
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
