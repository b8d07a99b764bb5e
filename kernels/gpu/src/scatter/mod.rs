//! Slices put to, or combined with, locations of a tensor that indices name.
//!
//! A place may be named several times. Sums of f32 and of integers of 32 bits are made atomically, in no order; for
//! other dtypes and operations the first slice of a place goes over those that follow, in order, as on the CPU. A
//! place that does not exist is left out: the host does not see the values, and a device has nowhere to report to.

mod combine;
mod indices;
mod replace;
mod single;

pub(crate) use combine::{Combination, combine};
pub(crate) use indices::ScatterIndices;
pub(crate) use replace::replace;
pub(crate) use single::summed_in_single;
