//! Distributions as data, and what writes their numbers in one kind of memory: an op that draws numbers is written
//! once, and serves each of them.

use oplink::prelude::*;

use crate::philox::Philox;

/// Writes the numbers of a distribution in one kind of memory, that of outputs: the same ones in each.
pub trait RandomBackend<D> {
    /// Writes the numbers of `distribution` from `start` on to `out`, which has elements.
    ///
    /// # Errors
    /// The device refuses the work.
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, distribution: &D) -> Result<()>;
}

/// Every number in `[0, 1)` that the significand can tell apart from 1, equally likely.
#[derive(Debug, Default)]
pub struct Uniform;

/// The standard normal distribution.
#[derive(Debug, Default)]
pub struct Normal;

/// The standard normal distribution within 2 of the mean.
#[derive(Debug, Default)]
pub struct Truncated;

/// The drawn bits, as integers of 4 or 8 bytes.
#[derive(Debug, Default)]
pub struct Bits;

/// The integers from `low` on, `extent` of them, of int32 or int64. The extent is at least 1.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    /// The smallest.
    pub low: i64,
    /// How many there are.
    pub extent: u64,
}
