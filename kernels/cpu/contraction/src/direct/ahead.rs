//! What is computed next is brought into cache while something else is computed.
#![allow(unsafe_code, reason = "room: an instruction that reads nothing that the program sees")]

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// What one tile asks for, a bit at each step.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    next: *const f32,
    /// Bytes of a step.
    step: usize,
}

impl Ahead {
    /// The share of tile `index` of so many of `panel`, in so many steps.
    pub(super) fn share(panel: &[f32], steps: usize, (index, tiles): (usize, usize)) -> Self {
        let share = super::part(panel.len(), index, tiles);
        Self { next: panel.as_ptr().wrapping_add(share.start), step: (share.len() * size_of::<f32>()).div_ceil(steps) }
    }

    /// Asks for all of a panel.
    pub(super) fn all(panel: &[f32]) {
        let mut ahead = Self { next: panel.as_ptr(), step: LINE };
        (0..size_of_val(panel).div_ceil(LINE)).for_each(|_| ahead.prefetch());
    }

    /// Asks for the line of the cache that the step has reached.
    #[inline(always)]
    pub(super) fn prefetch(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: whatever the address, nothing is read that the program sees.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(self.next.cast());
        }
        self.next = self.next.wrapping_byte_add(self.step);
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
