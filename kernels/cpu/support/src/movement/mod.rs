//! Copies of elements of any dtype: code is instantiated for each element width, not for each dtype.

mod axes;
mod backend;
mod cell;
mod copy;
mod fill;
mod part;
mod put;
mod rows;
mod stretch;

pub use axes::{Axis, AxisList, collapse, row_major_strides};
pub use backend::{CopyBackend, Host};
pub use cell::{Cell, CellJob, one, with_cells};
pub use copy::copy_axes_into;
pub use fill::fill;
pub use part::take_range;
pub use put::put_axes;
pub use rows::{Piece, join_rows};
pub use stretch::stretch;
