//! Memory of a device: addresses that nobody can read, and behind them the bytes that the device's work reaches.
#![allow(unsafe_code, reason = "room: addresses are reserved from the system")]

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use oplink::device::{AllocatorStatistics, MemoryUsage, Region};
use oplink::{Code, Error, ErrorKind, Result};

use crate::counters::{Counters, add};

/// Allocations start at multiples of this.
const PAGE: usize = 4096;
/// What fresh memory is filled with: as `f32`, -2.9e-16.
const FRESH: u8 = 0xa5;

/// The memory of one device.
pub(crate) struct Memory {
    base: usize,
    size: usize,
    blocks: Mutex<Blocks>,
    counters: &'static Counters,
}

/// What is given out.
#[derive(Default)]
struct Blocks {
    by_address: BTreeMap<usize, Vec<u8>>,
    statistics: AllocatorStatistics,
}

/// The memories of all devices.
static MEMORIES: Mutex<Vec<Weak<Memory>>> = Mutex::new(Vec::new());

impl Memory {
    /// Memory of so many bytes.
    ///
    /// # Errors
    /// The system gives no addresses.
    pub(crate) fn new(size: usize, counters: &'static Counters) -> Result<Arc<Self>> {
        let size = size.next_multiple_of(PAGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping that nothing else uses.
        let base = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            let message = format!("the system gives no {size} bytes of addresses for the memory of a simulated device");
            return Err(Error::new(Code::ResourceExhausted, ErrorKind::Resource, message));
        }
        let memory = Arc::new(Self { base: base.expose_provenance(), size, blocks: Mutex::default(), counters });
        let mut memories = MEMORIES.lock().unwrap_or_else(PoisonError::into_inner);
        memories.retain(|memory| memory.strong_count() > 0);
        memories.push(Arc::downgrade(&memory));
        Ok(memory)
    }

    /// The memory in which a region lies, of whatever device; this one where it lies in none.
    pub(crate) fn of(self: &Arc<Self>, region: Region) -> Arc<Self> {
        let memories = MEMORIES.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |memory: &Arc<Self>| (memory.base..memory.base + memory.size).contains(&region.address);
        memories.iter().filter_map(Weak::upgrade).find(holds).unwrap_or_else(|| self.clone())
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives out the first gap that is long enough.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<Region> {
        let mut blocks = self.blocks();
        let needed = bytes.max(1).checked_next_multiple_of(PAGE)?;
        let mut start = self.base;
        for (&address, block) in &blocks.by_address {
            if address - start >= needed {
                break;
            }
            start = (address + block.len()).next_multiple_of(PAGE);
        }
        if (self.base + self.size).saturating_sub(start) < needed {
            return None;
        }
        blocks.by_address.insert(start, vec![FRESH; bytes]);
        let statistics = &mut blocks.statistics;
        statistics.allocations += 1;
        statistics.in_use += bytes as u64;
        statistics.peak = statistics.peak.max(statistics.in_use);
        statistics.largest = statistics.largest.max(bytes as u64);
        Some(Region { payload: self.base as u64, ..Region::new(start, bytes as u64) })
    }

    /// Takes back what `allocate` gave; false where it did not.
    pub(crate) fn deallocate(&self, region: Region) -> bool {
        let mut blocks = self.blocks();
        let Some(block) = blocks.by_address.remove(&region.address) else {
            add(&self.counters.wrong_uses);
            return false;
        };
        blocks.statistics.in_use -= block.len() as u64;
        true
    }

    pub(crate) fn usage(&self) -> MemoryUsage {
        let total = self.size as u64;
        MemoryUsage { free: total - self.blocks().statistics.in_use, total }
    }

    pub(crate) fn statistics(&self) -> AllocatorStatistics {
        let statistics = self.blocks().statistics;
        AllocatorStatistics {
            limit: Some(self.size as u64),
            largest_free: self.size as u64 - statistics.in_use,
            ..statistics
        }
    }

    /// Calls with the bytes of a region that lies in one allocation.
    fn with<T>(&self, region: Region, body: impl FnOnce(&mut [u8]) -> T) -> Result<T> {
        let (start, length) = (region.address, region.bytes as usize);
        let mut blocks = self.blocks();
        let found = blocks.by_address.range_mut(..=start).next_back().and_then(|(&address, block)| {
            let offset = start - address;
            block.get_mut(offset..offset.checked_add(length)?)
        });
        found.map(body).ok_or_else(|| {
            add(&self.counters.wrong_uses);
            let end = self.base + self.size;
            let place = if (self.base..end).contains(&start) { "not given out" } else { "not the device's" };
            Error::internal(format!("{length} bytes at {start:#x} are {place} in a simulated device's memory"))
        })
    }

    /// The bytes of a region.
    pub(crate) fn bytes(&self, region: Region) -> Result<Vec<u8>> {
        self.with(region, |bytes| bytes.to_vec())
    }

    /// Writes the bytes of a region.
    pub(crate) fn set_bytes(&self, region: Region, source: &[u8]) -> Result<()> {
        self.with(region, |bytes| bytes.iter_mut().zip(source).for_each(|(byte, source)| *byte = *source))
    }

    /// The elements of a region.
    pub(crate) fn read<T: Plain>(&self, region: Region) -> Result<Vec<T>> {
        self.with(region, |bytes| T::from_bytes(bytes))
    }

    /// Writes the elements of a region.
    pub(crate) fn write<T: Plain>(&self, region: Region, values: &[T]) -> Result<()> {
        self.set_bytes(region, &T::to_bytes(values))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this memory's, and nothing reads it.
        unsafe { libc::munmap(ptr::with_exposed_provenance_mut(self.base), self.size) };
    }
}

/// Elements that are bytes in the machine's order.
pub trait Plain: Copy + Send + Sync + 'static {
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;
    fn to_bytes(values: &[Self]) -> Vec<u8>;
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl Plain for $ty {
            fn from_bytes(bytes: &[u8]) -> Vec<Self> {
                bytes.as_chunks().0.iter().map(|chunk| Self::from_ne_bytes(*chunk)).collect()
            }

            fn to_bytes(values: &[Self]) -> Vec<u8> {
                values.iter().flat_map(|value| value.to_ne_bytes()).collect()
            }
        }
    )*};
}
plain!(f32, f64, i32, i64);
