//! Moving elements of any dtype: code is made once for each element width, not for each dtype.

mod axes;
mod cell;
mod copy;
mod fill;
mod mover;
mod part;
mod put;
mod rows;
mod stretch;

pub use axes::{Axis, AxisList, collapse, row_major_strides};
pub use cell::{Cell, CellJob, one, with_cells};
pub use copy::{copy_axes, copy_axes_into};
pub use fill::fill;
pub use mover::{Host, Mover};
pub use part::take_range;
pub use put::put_axes;
pub use rows::{Piece, join_rows};
pub use stretch::stretch;
