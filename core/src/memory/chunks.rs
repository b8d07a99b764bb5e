//! The bookkeeping of a best-fit allocator: regions cut into chunks without gaps, free neighbours joined.

use std::collections::{BTreeMap, BTreeSet};

use super::MemoryStatistics;

/// A block larger than this part of its region is large.
const LARGE: usize = 4;
/// A rest smaller than this stays with the block it would be split from.
const MIN_SPLIT: usize = 1 << 10;

/// A range of addresses that chunks are cut from. No two of one bookkeeping overlap.
pub(super) trait Span {
    /// The first address.
    fn address(&self) -> usize;
    /// The number of addresses, not 0.
    fn len(&self) -> usize;
}

/// Regions, and the chunks that each is cut into.
pub(super) struct Chunks<R> {
    /// By address.
    regions: Vec<R>,
    /// By address.
    chunks: BTreeMap<usize, Chunk>,
    /// Size and address of each free chunk.
    free: BTreeSet<(usize, usize)>,
    pub(super) statistics: MemoryStatistics,
}

#[derive(Clone, Copy)]
struct Chunk {
    size: usize,
    /// Address of the region.
    region: usize,
    free: bool,
}

impl<R> Default for Chunks<R> {
    fn default() -> Self {
        let statistics = MemoryStatistics::default();
        Self { regions: Vec::new(), chunks: BTreeMap::new(), free: BTreeSet::new(), statistics }
    }
}

impl<R: Span> Chunks<R> {
    pub(super) fn regions(&self) -> &[R] {
        &self.regions
    }

    /// The region that begins at an address.
    pub(super) fn region(&self, address: usize) -> Option<&R> {
        let at = self.regions.binary_search_by(|region| region.address().cmp(&address)).ok()?;
        self.regions.get(at)
    }

    /// Adds a region, whole and free.
    pub(super) fn add(&mut self, region: R) {
        let (start, len) = (region.address(), region.len());
        let at = self.regions.partition_point(|other| other.address() < start);
        self.regions.insert(at, region);
        self.chunks.insert(start, Chunk { size: len, region: start, free: true });
        self.free.insert((len, start));
        let statistics = &mut self.statistics;
        statistics.reserved += len;
        statistics.peak_reserved = statistics.peak_reserved.max(statistics.reserved);
        statistics.system_allocations += 1;
    }

    /// Removes the regions without a block in use.
    pub(super) fn remove_unused(&mut self) -> Vec<R> {
        let Self { regions, chunks, free, statistics } = self;
        let unused = |region: &mut R| {
            let (start, len) = (region.address(), region.len());
            let unused = chunks.get(&start).is_some_and(|chunk| chunk.free && chunk.size == len);
            if unused {
                chunks.remove(&start);
                free.remove(&(len, start));
                statistics.reserved -= len;
            }
            unused
        };
        regions.extract_if(.., unused).collect()
    }

    /// The address of the smallest free chunk that is large enough, the lowest of equal ones.
    pub(super) fn best_fit(&self, size: usize) -> Option<usize> {
        self.free.range((size, 0)..).next().map(|(_, address)| *address)
    }

    /// The statistics as they are now.
    pub(super) fn statistics(&self) -> MemoryStatistics {
        let largest_free_block = self.free.last().map_or(0, |(size, _)| *size);
        MemoryStatistics { largest_free_block, ..self.statistics }
    }

    /// Marks an end of a free chunk as used and leaves the rest free. It is the end that is the region's too, so that
    /// what is free stays together between blocks at both ends. Where both ends are or none is, a block that is large
    /// in its region takes the upper one, others the lower one, so that a large block has its room back when the small
    /// ones before it are gone. Returns the block's address and its region's.
    pub(super) fn take(&mut self, address: usize, size: usize) -> Option<(usize, usize)> {
        let Chunk { size: whole, region, .. } = self.chunks.remove(&address)?;
        self.free.remove(&(whole, address));
        let size = if whole - size < MIN_SPLIT { whole } else { size };
        let len = self.region(region)?.len();
        let (at_start, at_end) = (address == region, address + whole == region + len);
        let takes_upper = if at_start == at_end { len / LARGE < size } else { at_end };
        let (block, rest) = if takes_upper { (address + whole - size, address) } else { (address, address + size) };
        self.chunks.insert(block, Chunk { size, region, free: false });
        if whole > size {
            self.chunks.insert(rest, Chunk { size: whole - size, region, free: true });
            self.free.insert((whole - size, rest));
        }
        let statistics = &mut self.statistics;
        statistics.allocations += 1;
        statistics.largest_allocation = statistics.largest_allocation.max(size);
        statistics.in_use += size;
        statistics.peak_in_use = statistics.peak_in_use.max(statistics.in_use);
        Some((block, region))
    }

    /// Takes a block back; an address that is no block is ignored.
    pub(super) fn give_back(&mut self, address: usize) {
        let Some(chunk) = self.chunks.get(&address).copied().filter(|chunk| !chunk.free) else {
            debug_assert!(false, "no block at {address:#x}");
            return;
        };
        self.statistics.in_use -= chunk.size;
        self.join_free(address, chunk);
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
