//! What the bodies of GPU kernels call, and how such kernels are launched.
//!
//! A kernel over a grid is a Rust function that is translated to the languages of GPUs. There, the functions of this
//! module give a thread its place and let the threads of a block work together. Called on the host they describe a grid
//! of one thread: kernels that go over their data in steps of the grid's size give the same results there.

mod chain;
mod compose;
mod elementwise;
mod formula;
mod kernel;
mod launch;
mod program;
mod value;

use crate::{Number, Real};

pub use chain::{GpuChain, GpuChainStep, MAX_CHAIN_INPUTS};
pub use formula::{ElementwiseProgram, FormulaParam, FormulaText, GpuFormula};
pub use kernel::{GpuArgument, GpuForm, GpuKernel, run_program};
pub use launch::{Launch, LaunchFn};
pub use program::{ProgramEntry, ProgramFunction, blocks};
pub use value::{DeviceValue, ProgramArguments};

/// A position or a size in three directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index3 {
    /// The first direction, whose neighbours are neighbours in memory as a rule.
    pub x: usize,
    /// The second direction.
    pub y: usize,
    /// The third direction.
    pub z: usize,
}

/// The thread's position in its block.
#[inline]
pub fn thread_index() -> Index3 {
    Index3 { x: 0, y: 0, z: 0 }
}

/// The block's position in the grid.
#[inline]
pub fn block_index() -> Index3 {
    Index3 { x: 0, y: 0, z: 0 }
}

/// Threads of a block: what the kernel's key `block` says.
#[inline]
pub fn block_dim() -> Index3 {
    Index3 { x: 1, y: 1, z: 1 }
}

/// Blocks of the grid.
#[inline]
pub fn grid_dim() -> Index3 {
    Index3 { x: 1, y: 1, z: 1 }
}

/// The numbers below `count` that a thread of the grid's first direction is for: `for i in grid_stride(count) { … }`,
/// with a `count` in `usize` or `u32`. Whatever the grid's size, all of its threads together go over all of them.
#[inline]
pub fn grid_stride<N: Default>(count: N) -> std::ops::Range<N>
where
    std::ops::Range<N>: Iterator<Item = N>,
{
    N::default()..count
}

/// Memory that the threads of a block share, with arbitrary contents: `let mut sums = shared::<f32, 256>();` at the
/// start of a kernel.
#[inline]
pub fn shared<T: Copy + Default, const N: usize>() -> [T; N] {
    [T::default(); N]
}

/// Every thread of the block waits for all others, and sees what they wrote. All of them must get here.
#[inline]
pub fn barrier() {}

/// The sum of the values of a subgroup's threads, for each of them. All of them must get here.
#[inline]
pub fn subgroup_add<T>(value: T) -> T {
    value
}

/// The largest of the values of a subgroup's threads. All of them must get here.
#[inline]
pub fn subgroup_max<T>(value: T) -> T {
    value
}

/// The smallest of the values of a subgroup's threads. All of them must get here.
#[inline]
pub fn subgroup_min<T>(value: T) -> T {
    value
}

/// Adds to an element atomically, whatever other threads do: `atomic_add(&mut sums[i], x);`. The sum of floats depends
/// on the order, which no run repeats.
#[inline]
pub fn atomic_add<T: Number>(place: &mut T, value: T) {
    *place = *place + value;
}

/// Atomically sets an element to `value` where that is larger. NaN changes nothing.
#[inline]
pub fn atomic_max<T: Real>(place: &mut T, value: T) {
    if value > *place {
        *place = value;
    }
}

/// Atomically sets an element to `value` where that is smaller. NaN changes nothing.
#[inline]
pub fn atomic_min<T: Real>(place: &mut T, value: T) {
    if value < *place {
        *place = value;
    }
}

/// The upper 32 bits of the product.
#[inline]
pub fn mul_hi(x: u32, y: u32) -> u32 {
    ((u64::from(x) * u64::from(y)) >> 32) as u32
}
