//! What a device's allocator is made over.

use std::ffi::c_void;
use std::ptr;

/// A device's own memory functions.
pub trait RawMemory: Send + Sync {
    /// A region of at least `bytes`, its start aligned to [`alignment`](Self::alignment); `None` where the device has
    /// no more.
    fn allocate(&self, bytes: usize) -> Option<RawRegion>;

    /// Takes a region back that [`allocate`](Self::allocate) gave.
    fn free(&self, region: RawRegion);

    /// The alignment of blocks in bytes, not 0.
    fn alignment(&self) -> usize;
}

/// A region of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRegion {
    handle: usize,
    offset: usize,
    bytes: usize,
}

impl RawRegion {
    /// The `bytes` from `offset` on of what the platform knows by `handle`.
    pub fn new(handle: *mut c_void, offset: usize, bytes: usize) -> Self {
        Self { handle: handle.expose_provenance(), offset, bytes }
    }

    /// The platform's handle.
    pub fn handle(&self) -> *mut c_void {
        ptr::with_exposed_provenance_mut(self.handle)
    }

    /// Bytes from the handle's start to the region.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
