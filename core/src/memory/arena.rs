//! Best-fit placement of blocks in regions. Free neighbours join.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr::NonNull;

use oplink_api::ALIGNMENT;

use super::MemoryStatistics;
use super::region::Region;

/// The least size of a region.
const MIN_REGION: usize = 1 << 20;
/// Sizes of regions are multiples of this.
const REGION_STEP: usize = 1 << 16;
/// A block larger than this part of its region is large.
const LARGE: usize = 4;
/// A rest smaller than this stays with the block it would be split from.
const MIN_SPLIT: usize = 1 << 10;

/// Regions, and the chunks that each is cut into without gaps.
#[derive(Default)]
pub(super) struct Arena {
    /// By address.
    regions: Vec<Region>,
    /// By address.
    chunks: BTreeMap<usize, Chunk>,
    /// Size and address of each free chunk.
    free: BTreeSet<(usize, usize)>,
    /// Bytes that the next first region should have, so that a step like former ones needs no other.
    target: usize,
    pub(super) statistics: MemoryStatistics,
}

#[derive(Clone, Copy)]
struct Chunk {
    size: usize,
    /// Address of the region.
    region: usize,
    free: bool,
}

impl Arena {
    /// A block of at least `bytes`; `None` where the system has no more memory.
    pub(super) fn allocate(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let size = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let address = match self.best_fit(size) {
            Some(address) => address,
            None => self.grow(size)?,
        };
        let (block, region) = self.take(address, size)?;
        let start = self.region(region)?.start();
        NonNull::new(start.as_ptr().wrapping_add(block - region))
    }

    /// Takes a block back; an address that is no block is ignored.
    pub(super) fn deallocate(&mut self, address: usize) {
        let Some(chunk) = self.chunks.get(&address).copied().filter(|chunk| !chunk.free) else {
            debug_assert!(false, "no block at {address:#x}");
            return;
        };
        self.statistics.in_use -= chunk.size;
        self.join_free(address, chunk);
        if self.statistics.in_use == 0 && self.regions.len() > 1 {
            self.consolidate();
        }
    }

    /// With nothing in use: several regions make room for a single one that may serve in their place. It has the size of
    /// the peak of use at first; where blocks did not fit in one that large, an eighth more each time, up to twice the
    /// peak. Where one has that size already, they stay.
    fn consolidate(&mut self) {
        let MemoryStatistics { reserved, peak_in_use, .. } = self.statistics;
        let largest = self.regions.iter().map(Region::len).max().unwrap_or(0);
        let wanted = peak_in_use.max(largest + largest / 8).min(reserved);
        self.target = self.target.max(wanted).min(2 * peak_in_use);
        if largest < self.target {
            self.release_unused();
        }
    }

    /// Gives regions without a block in use back to the system.
    pub(super) fn release_unused(&mut self) {
        let Self { regions, chunks, free, statistics, .. } = self;
        regions.retain(|region| {
            let (start, len) = (region.address(), region.len());
            let in_use = !chunks.get(&start).is_some_and(|chunk| chunk.free && chunk.size == len);
            if !in_use {
                chunks.remove(&start);
                free.remove(&(len, start));
                statistics.reserved -= len;
            }
            in_use
        });
    }

    fn region(&self, address: usize) -> Option<&Region> {
        let at = self.regions.binary_search_by(|region| region.address().cmp(&address)).ok()?;
        self.regions.get(at)
    }

    /// The smallest free chunk that is large enough, the lowest of equal ones.
    fn best_fit(&self, size: usize) -> Option<usize> {
        self.free.range((size, 0)..).next().map(|(_, address)| *address)
    }

    /// A new region with a chunk for `size`. Unused regions, all too small for it, go first. The region is as large as
    /// what the peak of use lacks, so that a step that repeats finds all its memory in one region.
    fn grow(&mut self, size: usize) -> Option<usize> {
        self.release_unused();
        let peak = self.statistics.peak_in_use;
        let lacking = self.target.max(peak + peak / 32).saturating_sub(self.statistics.reserved);
        let wanted = size.max(lacking).max(MIN_REGION).checked_next_multiple_of(REGION_STEP)?;
        let region = Region::new(wanted).or_else(|| Region::new(size))?;
        let (start, len) = (region.address(), region.len());
        let at = self.regions.partition_point(|other| other.address() < start);
        self.regions.insert(at, region);
        self.chunks.insert(start, Chunk { size: len, region: start, free: true });
        self.free.insert((len, start));
        let statistics = &mut self.statistics;
        statistics.reserved += len;
        statistics.peak_reserved = statistics.peak_reserved.max(statistics.reserved);
        statistics.system_allocations += 1;
        Some(start)
    }

    /// Marks an end of a free chunk as used and leaves the rest free: the upper end for a block that is large in its
    /// region, the lower end for others, so that a large block has its room back when the small ones before it are gone.
    /// Returns the block's address and its region.
    fn take(&mut self, address: usize, size: usize) -> Option<(usize, usize)> {
        let Chunk { size: whole, region, .. } = self.chunks.remove(&address)?;
        self.free.remove(&(whole, address));
        let size = if whole - size < MIN_SPLIT { whole } else { size };
        let is_large = self.region(region)?.len() / LARGE < size;
        let (block, rest) = if is_large { (address + whole - size, address) } else { (address, address + size) };
        self.chunks.insert(block, Chunk { size, region, free: false });
        if whole > size {
            self.chunks.insert(rest, Chunk { size: whole - size, region, free: true });
            self.free.insert((whole - size, rest));
        }
        let statistics = &mut self.statistics;
        statistics.allocations += 1;
        statistics.in_use += size;
        statistics.peak_in_use = statistics.peak_in_use.max(statistics.in_use);
        Some((block, region))
    }

    /// Makes the chunk free and joins it with free neighbours of its region.
    fn join_free(&mut self, address: usize, chunk: Chunk) {
        let (mut start, mut size) = (address, chunk.size);
        let joins = |other: &Chunk| other.free && other.region == chunk.region;
        if let Some(next) = self.chunks.get(&(address + size)).copied().filter(joins) {
            self.chunks.remove(&(address + size));
            self.free.remove(&(next.size, address + size));
            size += next.size;
        }
        let before = self.chunks.range(..address).next_back().map(|(at, before)| (*at, *before));
        if let Some((at, before)) = before.filter(|(_, before)| joins(before)) {
            self.chunks.remove(&address);
            self.free.remove(&(before.size, at));
            (start, size) = (at, size + before.size);
        }
        self.chunks.insert(start, Chunk { size, region: chunk.region, free: true });
        self.free.insert((size, start));
    }
}
