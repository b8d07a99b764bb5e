//! Memory of the host for devices that need nothing special of it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr::{self, NonNull};

use oplink_api::tensor::ALIGNMENT;

/// Gives so many bytes of ordinary memory, aligned for every element; at least one. `None` where there is not enough.
pub fn allocate_host_memory(bytes: u64) -> Option<NonNull<u8>> {
    let mut memory = ptr::null_mut();
    // SAFETY: the alignment is a power of two and a multiple of a pointer's size.
    let failed = unsafe { libc::posix_memalign(&raw mut memory, ALIGNMENT, usize::try_from(bytes).ok()?.max(1)) };
    NonNull::new(memory.cast()).filter(|_| failed == 0)
}

/// Takes back what [`allocate_host_memory`] gave.
///
/// # Safety
/// [`allocate_host_memory`] gave it, and it is taken back once.
pub unsafe fn deallocate_host_memory(memory: NonNull<u8>) {
    // SAFETY: `allocate_host_memory` gave the block by `malloc`, and it is taken back once (Safety section).
    unsafe { libc::free(memory.as_ptr().cast()) }
}
