//! The memory of handles: that of deleted ones is kept for the next, on each thread some.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use super::Place;

/// Blocks that a thread keeps.
const KEPT: usize = 32;

/// What stands in a block that holds no handle.
struct Empty {
    next: *mut Empty,
    /// Blocks from this one on.
    count: usize,
}

const _: () = assert!(size_of::<Empty>() <= size_of::<Place>() && align_of::<Empty>() <= align_of::<Place>());

/// A list of blocks; those left go back to the thread when it is dropped.
pub(super) struct Blocks(*mut Empty);

thread_local! {
    static HERE: Here = const { Here(Cell::new(ptr::null_mut())) };
}

/// The list of a thread.
struct Here(Cell<*mut Empty>);

impl Drop for Here {
    fn drop(&mut self) {
        while let Some(block) = pop(self.0.get_mut()) {
            free(block);
        }
    }
}

/// Takes the first block off a list.
#[inline]
fn pop(list: &mut *mut Empty) -> Option<NonNull<Place>> {
    let block = NonNull::new(*list)?;
    // SAFETY: what is in a list is an `Empty` of a block that the list owns.
    *list = unsafe { block.as_ref() }.next;
    Some(block.cast())
}

/// Puts a block in front of a list.
#[inline]
fn push(list: &mut *mut Empty, block: NonNull<Place>) {
    // SAFETY: what is in the list is an `Empty` of a block that the list owns; null is the end of it.
    let count = unsafe { list.as_ref() }.map_or(0, |first| first.count);
    let empty = block.cast::<Empty>();
    // SAFETY: the block is given up, and has room for it.
    unsafe { empty.write(Empty { next: *list, count: count + 1 }) }
    *list = empty.as_ptr();
}

#[cold]
fn allocate() -> NonNull<Place> {
    NonNull::from(Box::leak(Box::<Place>::new_uninit())).cast()
}

#[cold]
fn free(block: NonNull<Place>) {
    // SAFETY: of `allocate`; given up by the caller, and what it held is dropped or somebody else's.
    drop(unsafe { Box::<MaybeUninit<Place>>::from_raw(block.as_ptr().cast()) });
}

/// A block for a handle.
#[inline]
pub(super) fn take() -> NonNull<Place> {
    let kept = HERE.try_with(|here| {
        let mut list = here.0.get();
        let block = pop(&mut list);
        here.0.set(list);
        block
    });
    kept.ok().flatten().unwrap_or_else(allocate)
}

/// Gives a block back.
///
/// # Safety
/// [`take`] or [`Blocks::take`] gave it, and nobody uses it any more; what it held is dropped or somebody else's.
#[inline]
pub(super) unsafe fn give(block: NonNull<Place>) {
    let given = HERE.try_with(|here| {
        let mut list = here.0.get();
        // SAFETY: what is in the list is an `Empty` of a block that the list owns; null is the end of it.
        let is_kept = unsafe { list.as_ref() }.is_none_or(|first| first.count < KEPT);
        if is_kept {
            push(&mut list, block);
            here.0.set(list);
        }
        is_kept
    });
    if !given.unwrap_or(false) {
        free(block);
    }
}

impl Blocks {
    pub(super) const fn none() -> Self {
        Self(ptr::null_mut())
    }

    /// A block for a handle; the thread's are taken over first.
    #[inline]
    pub(super) fn take(&mut self) -> NonNull<Place> {
        if self.0.is_null() {
            self.0 = HERE.try_with(|here| here.0.replace(ptr::null_mut())).unwrap_or(ptr::null_mut());
        }
        pop(&mut self.0).unwrap_or_else(allocate)
    }

    /// Keeps a block for the next handle.
    ///
    /// # Safety
    /// As [`give`].
    #[inline]
    pub(super) unsafe fn give(&mut self, block: NonNull<Place>) {
        push(&mut self.0, block);
    }

    /// Gives the blocks back one by one.
    #[cold]
    fn spill(&mut self) {
        while let Some(block) = pop(&mut self.0) {
            // SAFETY: blocks of a list hold nothing.
            unsafe { give(block) }
        }
    }
}

impl Drop for Blocks {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_null() {
            return;
        }
        let is_taken = HERE.try_with(|here| {
            // SAFETY: as in `pop`; not null.
            let fits = here.0.get().is_null() && unsafe { &*self.0 }.count <= KEPT;
            if fits {
                here.0.set(self.0);
            }
            fits
        });
        if !is_taken.unwrap_or(false) {
            self.spill();
        }
    }
}
