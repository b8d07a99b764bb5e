//! Integers as bit patterns.

mod left_shift;
mod right_shift;
