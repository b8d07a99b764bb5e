//! Host memory for tensors that is reused.
//!
//! Blocks of tensors that are gone serve the next fitting requests: fresh memory costs a page fault for every page, which
//! outweighs the arithmetic of large elementwise kernels.

mod arena;
mod host;
mod region;

pub use host::HostAllocator;

/// How much memory there is, in bytes. Blocks count with their rounded sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStatistics {
    /// In blocks that are given out.
    pub in_use: usize,
    /// The most that was given out at once.
    pub peak_in_use: usize,
    /// Held from the system, given out or not.
    pub reserved: usize,
    /// The most that was held at once.
    pub peak_reserved: usize,
    /// Requests so far.
    pub allocations: u64,
    /// Requests that the system had to be asked for.
    pub system_allocations: u64,
}
