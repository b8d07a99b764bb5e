//! An allocator that counts what the process holds, and the requests of each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counted.
pub(crate) struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

/// Requests for memory that this thread made so far.
pub(crate) fn requests() -> usize {
    REQUESTS.get()
}

/// Bytes that are allocated now.
pub(crate) fn held() -> usize {
    HELD.load(Relaxed)
}

/// The most bytes that were allocated at once since [`reset_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Starts the peak anew from what is allocated now.
pub(crate) fn reset_peak() {
    PEAK.store(held(), Relaxed);
}

fn grown(bytes: usize) {
    REQUESTS.set(REQUESTS.get() + 1);
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every request goes to the system's allocator as it is; counting touches no block.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grown(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.realloc(block, layout, size) }
    }
}
