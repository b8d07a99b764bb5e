//! The allocator of host tensors.
#![allow(unsafe_code, reason = "room: the Allocator contract; blocks come from the arena's regions or from the system")]

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};

use oplink_api::memory::on_shortage;
use oplink_api::tensor::Allocator;

use super::MemoryStatistics;
use super::arena::Arena;
use super::region::RawHostMemory;
use super::small_blocks;

/// Reuses the blocks of tensors that are gone for the next fitting requests, best fit first.
///
/// Memory goes back to the system where it cannot serve a request that needs more, and by
/// [`HostAllocator::release_unused`].
pub struct HostAllocator {
    name: String,
    /// Smaller requests are for [`small_blocks`].
    least_in_arena: usize,
    arena: Arc<Mutex<Arena>>,
    small_in_use: AtomicUsize,
    small_allocations: AtomicU64,
    small_system_allocations: AtomicU64,
}

impl HostAllocator {
    /// An allocator without memory yet; `name` is for messages.
    pub fn new(name: impl Into<String>) -> Self {
        Self::of_arena(name.into(), Arena::default(), small_blocks::LIMIT)
    }

    /// The same with at most `bytes` held from the system; without a limit of its own, an allocator holds at most what
    /// the process may ([`oplink_api::memory::limit`]). Small blocks of threads are not counted.
    #[must_use]
    pub fn with_limit(self, bytes: usize) -> Self {
        self.arena().limit = Some(bytes);
        self
    }

    /// An allocator of a device's host memory, whatever the size of a request.
    pub fn of_raw(name: impl Into<String>, raw: Arc<dyn RawHostMemory>) -> Self {
        Self::of_arena(name.into(), Arena::of_raw(raw), 0)
    }

    fn of_arena(name: String, arena: Arena, least_in_arena: usize) -> Self {
        let arena = Arc::new(Mutex::new(arena));
        release_on_shortage(&arena);
        Self {
            name,
            least_in_arena,
            arena,
            small_in_use: AtomicUsize::new(0),
            small_allocations: AtomicU64::new(0),
            small_system_allocations: AtomicU64::new(0),
        }
    }

    /// How much memory is in use and held. Peaks, and the largest request, leave requests of less than 16 KiB out,
    /// and so does what is held but not in use: threads keep their blocks, for whichever allocator they are next.
    pub fn statistics(&self) -> MemoryStatistics {
        let mut statistics = self.arena().statistics();
        let (small, requests) = (self.small_in_use.load(Relaxed), self.small_allocations.load(Relaxed));
        statistics.in_use += small;
        statistics.reserved += small;
        statistics.allocations += requests;
        statistics.system_allocations += self.small_system_allocations.load(Relaxed);
        statistics
    }

    /// Starts the peaks anew from what is in use and held now.
    pub fn reset_peaks(&self) {
        let statistics = &mut self.arena().chunks.statistics;
        statistics.peak_in_use = statistics.in_use;
        statistics.peak_reserved = statistics.reserved;
    }

    /// Gives memory that is held but not in use back to the system; of the small blocks that threads keep, those of the
    /// calling thread.
    pub fn release_unused(&self) {
        small_blocks::release_unused();
        self.arena().release_unused();
    }

    fn arena(&self) -> MutexGuard<'_, Arena> {
        self.arena.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The arenas of the process's allocators.
static ARENAS: Mutex<Vec<Weak<Mutex<Arena>>>> = Mutex::new(Vec::new());

/// Lets the arena give unused regions back where the process comes to its limit.
fn release_on_shortage(arena: &Arc<Mutex<Arena>>) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        on_shortage(|| {
            release_all();
            true
        });
    });
    let mut arenas = ARENAS.lock().unwrap_or_else(PoisonError::into_inner);
    arenas.retain(|arena| arena.strong_count() > 0);
    arenas.push(Arc::downgrade(arena));
}

/// Gives the unused regions of all arenas back. A thread that holds an arena's lock does so itself before it asks for
/// more.
fn release_all() {
    let Ok(arenas) = ARENAS.try_lock() else { return };
    for arena in arenas.iter().filter_map(Weak::upgrade) {
        if let Ok(mut arena) = arena.try_lock() {
            arena.release_unused();
        }
    }
    trim();
}

/// Makes the C library give back what it keeps of strings that are gone.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn trim() {
    // SAFETY: the function has no conditions.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

// SAFETY: small blocks are initialised memory of the asked size at least, and aligned; blocks of the arena lie in
// zeroed regions, do not overlap, and are aligned because regions are and chunk sizes are multiples of the alignment.
// Both stay valid until deallocated: the arena drops a region only when none of its chunks is in use.
unsafe impl Allocator for HostAllocator {
    fn allocate(&self, bytes: usize) -> Option<NonNull<u8>> {
        if bytes >= self.least_in_arena {
            return self.arena().allocate(bytes);
        }
        let (block, is_fresh) = small_blocks::allocate(bytes)?;
        self.small_in_use.fetch_add(bytes, Relaxed);
        self.small_allocations.fetch_add(1, Relaxed);
        if is_fresh {
            self.small_system_allocations.fetch_add(1, Relaxed);
        }
        Some(block)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize) {
        if bytes >= self.least_in_arena {
            return self.arena().deallocate(ptr.addr().get());
        }
        self.small_in_use.fetch_sub(bytes, Relaxed);
        // SAFETY: the caller returns a block of this size from `allocate`, which had it from there.
        unsafe { small_blocks::deallocate(ptr, bytes) }
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl std::fmt::Debug for HostAllocator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HostAllocator({}, {:?})", self.name, self.statistics())
    }
}
