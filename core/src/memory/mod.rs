//! Memory for tensors that is reused, on the host and on devices.
//!
//! Blocks of tensors that are gone serve the next fitting requests: fresh memory costs a page fault for every page,
//! which outweighs the arithmetic of large elementwise kernels, and a device's own allocation waits for its work.

mod arena;
mod bfc;
mod chunks;
mod host;
mod region;
mod small_blocks;

pub use bfc::{AllocatorOptions, DeviceAllocator, RawMemory, RawRegion};
pub use host::HostAllocator;
pub use region::RawHostMemory;

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
    /// The largest block that was given out.
    pub largest_allocation: usize,
    /// The largest block that can be given out without holding more.
    pub largest_free_block: usize,
    /// The most that may be held; `None` where the system sets the limit.
    pub limit: Option<usize>,
    /// Requests that the system had to be asked for.
    pub system_allocations: u64,
}
