//! Moves of elements as data, whatever their dtype and wherever they are: which element of a source goes where in an
//! output (`axes`), and what does it in one kind of memory (`backend`). Ops that only move elements are made of these.

mod axes;
mod backend;
mod broadcast;
mod ones;
mod range;

pub use axes::{Axis, AxisList, collapse, coordinates, row_major_strides};
pub use backend::{CopyBackend, Piece};
pub use broadcast::{broadcast_strides, stretch};
pub use ones::{highest, lowest, one};
pub use range::take_range;
