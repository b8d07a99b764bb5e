//! Prefetching: the panel that is multiplied next comes into the second level of cache meanwhile.
#![allow(unsafe_code, reason = "room: an instruction that reads nothing that the program sees")]

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// What a tile prefetches, one line of the cache at each step of its loop.
#[derive(Clone, Copy)]
pub(super) struct Prefetch {
    next: *const f32,
    /// Bytes from one step to the next.
    stride: usize,
}

impl Prefetch {
    /// The part of `panel` that tile `index` of `tiles` prefetches in so many steps.
    pub(super) fn share(panel: &[f32], steps: usize, (index, tiles): (usize, usize)) -> Self {
        let share = super::part(panel.len(), index, tiles);
        Self {
            next: panel.as_ptr().wrapping_add(share.start),
            stride: (share.len() * size_of::<f32>()).div_ceil(steps),
        }
    }

    /// Prefetches all of a panel at once.
    pub(super) fn all(panel: &[f32]) {
        let mut prefetch = Self { next: panel.as_ptr(), stride: LINE };
        (0..size_of_val(panel).div_ceil(LINE)).for_each(|_| prefetch.step());
    }

    /// Prefetches the line of the cache that the loop has reached.
    #[inline(always)]
    pub(super) fn step(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: whatever the address, nothing is read that the program sees.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(self.next.cast());
        }
        self.next = self.next.wrapping_byte_add(self.stride);
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
