//! Memory of the host for devices that need nothing special of it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr::{self, NonNull};

use oplink_api::ALIGNMENT;

/// Gives so many bytes, aligned for every element; at least one.
pub(super) fn allocate(bytes: u64) -> Option<NonNull<u8>> {
    let mut memory = ptr::null_mut();
    // SAFETY: the alignment is a power of two and a multiple of a pointer's size.
    let failed = unsafe { libc::posix_memalign(&raw mut memory, ALIGNMENT, usize::try_from(bytes).ok()?.max(1)) };
    NonNull::new(memory.cast()).filter(|_| failed == 0)
}

/// # Safety
/// [`allocate`] gave it, and it is freed once.
pub(super) unsafe fn deallocate(memory: NonNull<u8>) {
    // SAFETY: the caller's contract.
    unsafe { libc::free(memory.as_ptr().cast()) }
}
