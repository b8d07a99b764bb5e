//! Products of matrices of small numbers (16-bit floats, bytes) by instructions that multiply groups of them.
//!
//! A group is the numbers that one lane of 32 bits holds: two bfloat16, four bytes. A left row is its groups side by
//! side, often where it is in memory; the right matrix is brought into panels of groups. Where a processor has no such
//! instruction, groups are wider numbers: single-precision floats, pairs of 16-bit integers.
//!
//! Each sum is made in one order over the whole depth, whatever the number of threads.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx;
mod byte_ways;
pub mod bytes;
pub mod halves;
mod panels;
mod product;
mod tile;
mod ways;

use std::fmt;

pub use panels::Panels;
pub use product::{Place, Product, Rows};
pub use tile::{Bits, WIDTH};
use tile::{Setup, TileLoops};

/// A way of multiplying elements `E` to sums `S`; there are only those that the processor has the instructions for.
pub struct Way<E: 'static, S: 'static> {
    /// Its name, for messages of tests.
    pub name: &'static str,
    /// Elements of a group.
    group: usize,
    /// Rows of its highest tile.
    rows: usize,
    /// What its tiles of several rows need of the processor.
    setup: Option<Setup>,
    /// Makes lines of groups of [`WIDTH`] columns of lines of as many elements.
    right: fn(&[E], &mut [u32]),
    /// Makes groups of left elements; `None` where they are groups as they stand.
    left: Option<fn(&[E], &mut [u32])>,
    tile: TileLoops<S>,
}

impl<E, S> fmt::Debug for Way<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
