//! Blocks in regions of a device's memory, and when there is another region.

use std::collections::BTreeMap;

use super::raw::{RawMemory, RawRegion};
use crate::memory::MemoryStatistics;
use crate::memory::chunks::{Chunks, Span};

/// The least size of a region, where the limit allows it.
const MIN_REGION: usize = 2 << 20;

/// What bounds the regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocatorOptions {
    /// Bytes that may be held.
    pub limit: usize,
    /// Whether memory is held as it is needed; else all of it from the first request on.
    pub allow_growth: bool,
}

/// A region, at an address of its own: handles of devices are no addresses.
struct Held {
    address: usize,
    raw: RawRegion,
    len: usize,
}

impl Span for Held {
    fn address(&self) -> usize {
        self.address
    }

    fn len(&self) -> usize {
        self.len
    }
}

/// A block that is given out.
pub(super) struct Place {
    /// What it is given back by.
    pub(super) address: usize,
    pub(super) region: RawRegion,
    /// Bytes from the region's handle to the block.
    pub(super) offset: usize,
}

/// Who holds a block, and how large it is.
pub(super) struct User {
    pub(super) owner: Box<str>,
    pub(super) bytes: usize,
}

pub(super) struct Regions {
    raw: Box<dyn RawMemory>,
    options: AllocatorOptions,
    chunks: Chunks<Held>,
    next_address: usize,
    users: BTreeMap<usize, User>,
}

impl Regions {
    pub(super) fn new(raw: Box<dyn RawMemory>, options: AllocatorOptions) -> Self {
        let mut chunks = Chunks::default();
        chunks.statistics.limit = Some(options.limit);
        // No block of the first region has the address 0.
        Self { next_address: raw.alignment(), raw, options, chunks, users: BTreeMap::new() }
    }

    /// A block of at least `bytes`; `None` where limit or device leave no room.
    pub(super) fn allocate(&mut self, bytes: usize, owner: &str) -> Option<Place> {
        let size = bytes.max(1).checked_next_multiple_of(self.raw.alignment())?;
        let address = match self.chunks.best_fit(size) {
            Some(address) => address,
            None => self.grow(size)?,
        };
        let (address, region) = self.chunks.take(address, size)?;
        let raw = self.chunks.region(region)?.raw;
        self.users.insert(address, User { owner: owner.into(), bytes });
        Some(Place { address, region: raw, offset: raw.offset() + (address - region) })
    }

    pub(super) fn give_back(&mut self, address: usize) {
        self.chunks.give_back(address);
        self.users.remove(&address);
    }

    /// Gives regions without a block in use back to the device.
    pub(super) fn release_unused(&mut self) {
        for held in self.chunks.remove_unused() {
            self.raw.free(held.raw);
        }
    }

    pub(super) fn statistics(&self) -> MemoryStatistics {
        self.chunks.statistics()
    }

    pub(super) fn users(&self) -> impl Iterator<Item = &User> {
        self.users.values()
    }

    /// A new region with room for `size`: half as large as all before it together, so that there are few, or everything
    /// that is left where there is no growth. Where the device refuses, less is asked for, down to `size`.
    fn grow(&mut self, size: usize) -> Option<usize> {
        let alignment = self.raw.alignment();
        let whole = |bytes: usize| bytes / alignment * alignment;
        let reserved = self.chunks.statistics.reserved;
        let left = whole(self.options.limit.saturating_sub(reserved));
        let wanted =
            if self.options.allow_growth { whole(reserved / 2).max(whole(MIN_REGION)).max(size) } else { left };
        let mut asked = wanted.min(left);
        while asked >= size {
            if let Some(raw) = self.raw.allocate(asked) {
                return self.add(raw, size);
            }
            asked = match whole(asked - asked / 10) {
                less if asked > size => less.max(size).min(asked - alignment),
                _ => break,
            };
        }
        None
    }

    fn add(&mut self, raw: RawRegion, size: usize) -> Option<usize> {
        let (alignment, address) = (self.raw.alignment(), self.next_address);
        let len = raw.bytes() / alignment * alignment;
        let next = address.checked_add(len).filter(|_| len >= size);
        let Some(next) = next else {
            self.raw.free(raw);
            return None;
        };
        self.next_address = next;
        self.chunks.add(Held { address, raw, len });
        Some(address)
    }
}

impl Drop for Regions {
    /// Every block holds the allocator, so none is in use.
    fn drop(&mut self) {
        self.release_unused();
    }
}
