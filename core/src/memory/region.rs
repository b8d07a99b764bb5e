//! A range of host memory, from the system or from a device's functions.
#![allow(unsafe_code, reason = "room: memory of the arena; a region owns the block it was made with")]

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Arc;

use oplink_api::tensor::ALIGNMENT;

/// Regions ask for huge pages where whole ones lie in them.
const HUGE_PAGE: usize = 2 << 20;

/// Host memory that a device copies from and to best, such as locked pages.
///
/// # Safety
/// `allocate` returns memory of the asked length, aligned to [`ALIGNMENT`], that is valid for reads and writes until
/// `free` gets the same pointer and length.
pub unsafe trait RawHostMemory: Send + Sync {
    /// Memory of `bytes`, which is not 0; `None` where there is none.
    fn allocate(&self, bytes: usize) -> Option<NonNull<u8>>;

    /// Takes memory back.
    ///
    /// # Safety
    /// `ptr` came from `allocate(bytes)` of this object and is not used afterwards.
    unsafe fn free(&self, ptr: NonNull<u8>, bytes: usize);
}

/// Memory that is zero at first, aligned for tensors, given back when dropped.
pub(super) struct Region {
    owner: Owner,
    start: NonNull<u8>,
    len: usize,
}

/// Where a region's memory goes back to.
enum Owner {
    System(NonNull<u8>, Layout),
    Raw(Arc<dyn RawHostMemory>),
}

// SAFETY: a region owns its memory; nothing in it is bound to a thread.
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
        let region = Self { owner: Owner::System(block, layout), start, len };
        region.ask_for_huge_pages();
        Some(region)
    }

    /// A region of `len` bytes of a device's host memory; `None` where there is none. `len` is not zero.
    pub(super) fn of_raw(raw: &Arc<dyn RawHostMemory>, len: usize) -> Option<Self> {
        let start = raw.allocate(len)?;
        // SAFETY: the memory is valid for writes of this length.
        unsafe { start.write_bytes(0, len) }
        Some(Self { owner: Owner::Raw(raw.clone()), start, len })
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
        match &self.owner {
            // SAFETY: allocated with this layout in `new`, and freed once.
            Owner::System(block, layout) => unsafe { std::alloc::dealloc(block.as_ptr(), *layout) },
            // SAFETY: allocated with this length in `of_raw`, and freed once.
            Owner::Raw(raw) => unsafe { raw.free(self.start, self.len) },
        }
    }
}
