//! Copies in host memory of elements of any dtype: code is instantiated for each element width, not for each dtype.
//! What is copied where is data of [`oplink_ops::movement`].

mod backend;
mod cell;
mod copy;
mod fill;
mod put;
mod rows;

pub use oplink_ops::movement::{
    Axis, AxisList, CopyBackend, Piece, collapse, one, row_major_strides, stretch, take_range,
};

pub use backend::Host;
pub use cell::{Cell, CellJob, with_cells};
pub use copy::copy_axes_into;
pub use fill::fill;
pub use put::put_axes;
pub use rows::join_rows;
