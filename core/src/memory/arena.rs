//! Best-fit placement of blocks in regions of host memory.

use std::ptr::NonNull;
use std::sync::Arc;

use oplink_api::memory;
use oplink_api::tensor::ALIGNMENT;

use super::MemoryStatistics;
use super::chunks::{Chunks, Span};
use super::region::{RawHostMemory, Region};

/// The least size of a region.
const MIN_REGION: usize = 1 << 20;
/// Sizes of regions are multiples of this.
const REGION_STEP: usize = 1 << 16;

/// Regions of host memory and the blocks in them.
#[derive(Default)]
pub(super) struct Arena {
    pub(super) chunks: Chunks<Region>,
    /// Bytes that the next first region should have, so that a step like former ones needs no other.
    target: usize,
    /// Whose memory the regions are; the system's where `None`.
    raw: Option<Arc<dyn RawHostMemory>>,
    /// Bytes that regions may have together.
    pub(super) limit: Option<usize>,
}

impl Span for Region {
    #[inline]
    fn address(&self) -> usize {
        self.start().addr().get()
    }

    #[inline]
    fn len(&self) -> usize {
        self.bytes()
    }
}

impl Arena {
    /// Of regions of a device's host memory.
    pub(super) fn of_raw(raw: Arc<dyn RawHostMemory>) -> Self {
        Self { raw: Some(raw), ..Self::default() }
    }

    /// A block of at least `bytes`; `None` where the system has no more memory, or the limit is reached.
    pub(super) fn allocate(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let size = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let address = match self.chunks.best_fit(size) {
            Some(address) => address,
            None => self.grow(size)?,
        };
        let (block, region) = self.chunks.take(address, size)?;
        let start = self.chunks.region(region)?.start();
        NonNull::new(start.as_ptr().wrapping_add(block - region))
    }

    /// The statistics as they are now.
    pub(super) fn statistics(&self) -> MemoryStatistics {
        MemoryStatistics { limit: self.limit, ..self.chunks.statistics() }
    }

    /// Takes a block back; an address that is no block is ignored.
    pub(super) fn deallocate(&mut self, address: usize) {
        self.chunks.give_back(address);
        if self.chunks.statistics.in_use == 0 && self.chunks.regions().len() > 1 {
            self.consolidate();
        }
    }

    /// With nothing in use: several regions make room for a single one that may serve in their place. It has the size
    /// of the peak of use at first; where blocks did not fit in one that large, an eighth more each time, up to twice
    /// the peak. Where one has that size already, they stay.
    fn consolidate(&mut self) {
        let MemoryStatistics { reserved, peak_in_use, .. } = self.chunks.statistics;
        let largest = self.chunks.regions().iter().map(Region::bytes).max().unwrap_or(0);
        let wanted = peak_in_use.max(largest + largest / 8).min(reserved);
        self.target = self.target.max(wanted).min(2 * peak_in_use);
        if largest < self.target {
            self.release_unused();
        }
    }

    /// Gives regions without a block in use back to the system.
    pub(super) fn release_unused(&mut self) {
        drop(self.chunks.remove_unused());
    }

    /// A new region with a chunk for `size`. Unused regions, all too small for it, go first. The region is as large as
    /// what the peak of use lacks, so that a step that repeats finds all its memory in one region.
    fn grow(&mut self, size: usize) -> Option<usize> {
        self.release_unused();
        let MemoryStatistics { reserved, peak_in_use: peak, .. } = self.chunks.statistics;
        let lacking = self.target.max(peak + peak / 32).saturating_sub(reserved);
        let left = self.limit.unwrap_or_else(memory::limit).saturating_sub(reserved);
        if size > left {
            return None;
        }
        memory::check(size).ok()?;
        let wanted = size.max(lacking).max(MIN_REGION).checked_next_multiple_of(REGION_STEP)?.min(left);
        let region = |len: usize| match &self.raw {
            Some(raw) => Region::of_raw(raw, len),
            None => Region::new(len),
        };
        let region = region(wanted).or_else(|| region(size))?;
        let start = region.address();
        self.chunks.add(region);
        Some(start)
    }
}
