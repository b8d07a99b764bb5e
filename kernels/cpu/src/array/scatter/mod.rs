//! Slices written to, or combined with, places given by coordinates.

pub(crate) mod engine;
pub mod scatter_nd;
pub mod scatter_nd_non_aliasing_add;
pub mod tensor_scatter_add;
pub mod tensor_scatter_max;
pub mod tensor_scatter_min;
pub mod tensor_scatter_sub;
pub mod tensor_scatter_update;

pub use engine::ScatterLayout;
pub use scatter_nd::*;
pub use scatter_nd_non_aliasing_add::*;
pub use tensor_scatter_add::*;
pub use tensor_scatter_max::*;
pub use tensor_scatter_min::*;
pub use tensor_scatter_sub::*;
pub use tensor_scatter_update::*;
