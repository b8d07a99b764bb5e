//! A range of memory from the system.
#![allow(unsafe_code, reason = "room: memory of the arena; a region owns the block it was made with")]

use std::alloc::Layout;
use std::ptr::NonNull;

use oplink_api::ALIGNMENT;

/// Regions ask for huge pages where whole ones lie in them.
const HUGE_PAGE: usize = 2 << 20;

/// Memory that is zero at first, aligned for tensors, given back when dropped.
pub(super) struct Region {
    block: NonNull<u8>,
    layout: Layout,
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a region owns its block; nothing in it is bound to a thread.
unsafe impl Send for Region {}

impl Region {
    /// A region of `len` bytes; `None` where the system has none. `len` is not zero.
    pub(super) fn new(len: usize) -> Option<Self> {
        // Word alignment, so that the system's zeroed pages are used untouched; the start is aligned within the block.
        let layout = Layout::from_size_align(len.checked_add(ALIGNMENT)?, align_of::<usize>()).ok()?;
        // SAFETY: the layout's size is not zero.
        let block = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
        let padding = block.as_ptr().align_offset(ALIGNMENT);
        debug_assert!(padding <= ALIGNMENT);
        // SAFETY: padding is at most `ALIGNMENT`, by which the block is larger than `len`.
        let start = unsafe { block.add(padding) };
        let region = Self { block, layout, start, len };
        region.ask_for_huge_pages();
        Some(region)
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    pub(super) fn bytes(&self) -> usize {
        self.len
    }

    #[cfg(target_os = "linux")]
    fn ask_for_huge_pages(&self) {
        let before = self.start.as_ptr().align_offset(HUGE_PAGE);
        let whole = self.len.saturating_sub(before) / HUGE_PAGE * HUGE_PAGE;
        if whole > 0 {
            // SAFETY: the range lies within the block; the advice changes no contents, and its refusal no behaviour.
            unsafe { libc::madvise(self.start.as_ptr().add(before).cast(), whole, libc::MADV_HUGEPAGE) };
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn ask_for_huge_pages(&self) {}
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `new`, and freed once.
        unsafe { std::alloc::dealloc(self.block.as_ptr(), self.layout) }
    }
}
