//! What a device gives its kernels.

use std::ops::Range;
use std::sync::Arc;

use oplink_api::KernelEnv;
use oplink_api::device::DeviceContext;
use oplink_api::tensor::Allocator;

use crate::IntraOpPool;

/// Host memory of an allocator, at most so many threads of a pool, and the queue and memory of a device that has its
/// own.
#[derive(Clone)]
pub struct HostEnv {
    allocator: Option<Arc<dyn Allocator>>,
    pool: Option<Arc<IntraOpPool>>,
    threads: usize,
    device: Option<Arc<dyn DeviceContext>>,
}

impl HostEnv {
    /// Memory of `allocator` (the system's where `None`), work on the calling thread.
    pub fn new(allocator: Option<Arc<dyn Allocator>>) -> Self {
        Self { allocator, pool: None, threads: 1, device: None }
    }

    /// The same memory with at most `threads` threads of `pool`; `0` means all.
    #[must_use]
    pub fn with_pool(mut self, pool: Arc<IntraOpPool>, threads: usize) -> Self {
        self.threads = if threads == 0 { pool.threads() } else { threads.min(pool.threads()) };
        self.pool = Some(pool);
        self
    }

    /// The same with the memory and the queue of a device, where outputs then are.
    #[must_use]
    pub fn with_device(mut self, device: Arc<dyn DeviceContext>) -> Self {
        self.device = Some(device);
        self
    }

    /// The pool.
    pub fn pool(&self) -> Option<&Arc<IntraOpPool>> {
        self.pool.as_ref()
    }
}

impl KernelEnv for HostEnv {
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        Some(Arc::new(self.clone()))
    }

    #[inline]
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        self.device.as_ref()
    }

    #[inline]
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.allocator.as_ref()
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        match &self.pool {
            Some(pool) if self.threads > 1 => pool.parallel_for(self.threads, count, grain, body),
            _ if count > 0 => body(0..count),
            _ => {}
        }
    }

    fn waits_for_own_loops_only(&self) -> bool {
        true
    }

    #[inline]
    fn intra_op_threads(&self) -> usize {
        self.threads
    }
}

impl std::fmt::Debug for HostEnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let allocator = self.allocator.as_ref().map_or("system", |allocator| allocator.name());
        write!(f, "HostEnv(memory {allocator}, {} threads)", self.threads)
    }
}
