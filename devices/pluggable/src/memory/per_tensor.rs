//! Memory where the plugin allocates for each tensor.

use std::any::Any;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use oplink_api::device::DeviceBlock;
use oplink_api::{DType, Error, Result, Shape, Tensor};
use oplink_core::memory::MemoryStatistics;

use super::raw::SharedMemory;
use crate::executor::Part;

/// The plugin's own allocator, within a limit.
pub(super) struct PerTensor {
    pub(super) raw: SharedMemory,
    limit: usize,
    in_use: AtomicUsize,
    peak: AtomicUsize,
    allocations: AtomicU64,
    on_exhaustion: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl PerTensor {
    pub(super) fn new(raw: SharedMemory, limit: usize) -> Self {
        let (in_use, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { raw, limit, in_use, peak, allocations: AtomicU64::new(0), on_exhaustion: OnceLock::new() }
    }

    /// Sets what waits for work that holds tensors; called once for a request before it fails.
    pub(super) fn on_exhaustion(&self, wait: impl Fn() + Send + Sync + 'static) {
        let _ = self.on_exhaustion.set(Box::new(wait));
    }

    pub(super) fn tensor(self: &Arc<Self>, dtype: DType, shape: Shape, owner: &str) -> Result<Tensor> {
        let device = self.raw.streams().executor.name();
        let Some(size) = dtype.size() else {
            return Err(Error::invalid_argument(format!("a tensor of {dtype} cannot lie in the memory of {device}")));
        };
        let bytes = shape.checked_num_elements().and_then(|count| count.checked_mul(size)).ok_or_else(|| {
            Error::resource_exhausted(format!("a {dtype} tensor of shape {shape} exceeds the memory of {device}"))
        })?;
        let part = self.take(bytes.max(1)).or_else(|| {
            self.on_exhaustion.get().into_iter().for_each(|wait| wait());
            self.take(bytes.max(1))
        });
        let part = part.ok_or_else(|| self.exhausted(bytes, owner))?;
        Tensor::on_device(dtype, shape, Box::new(Block { memory: self.clone(), part, bytes: bytes.max(1) }))
    }

    fn take(&self, bytes: usize) -> Option<Part> {
        let within = |in_use: usize| in_use.checked_add(bytes).filter(|in_use| *in_use <= self.limit);
        let before = self.in_use.fetch_update(Relaxed, Relaxed, within).ok()?;
        let Some(memory) = self.raw.take(bytes) else {
            self.in_use.fetch_sub(bytes, Relaxed);
            return None;
        };
        self.peak.fetch_max(before + bytes, Relaxed);
        self.allocations.fetch_add(1, Relaxed);
        Some(Part(memory))
    }

    #[cold]
    fn exhausted(&self, bytes: usize, owner: &str) -> Error {
        let (device, in_use, limit) = (self.raw.streams().executor.name(), self.in_use.load(Relaxed), self.limit);
        let asking = if owner.is_empty() { String::new() } else { format!(" by `{owner}`") };
        Error::resource_exhausted(format!(
            "{device} is out of memory: {bytes} bytes were asked for{asking}; {in_use} bytes are in use of a limit of {limit}"
        ))
    }

    /// What is in use as counted here, and what is held as the plugin tells.
    pub(super) fn statistics(&self) -> MemoryStatistics {
        let (in_use, peak) = (self.in_use.load(Relaxed), self.peak.load(Relaxed));
        let allocations = self.allocations.load(Relaxed);
        let counted = MemoryStatistics {
            in_use,
            peak_in_use: peak,
            reserved: in_use,
            peak_reserved: peak,
            allocations,
            system_allocations: allocations,
            limit: Some(self.limit),
            ..MemoryStatistics::default()
        };
        let Some(told) = self.raw.streams().executor.allocator_stats() else { return counted };
        let bytes = |count: i64| usize::try_from(count).unwrap_or(0);
        MemoryStatistics {
            reserved: bytes(told.bytes_reserved).max(in_use),
            peak_reserved: bytes(told.peak_bytes_reserved).max(peak),
            largest_free_block: bytes(told.largest_free_block_bytes),
            ..counted
        }
    }
}

/// An allocation of the plugin's.
struct Block {
    memory: Arc<PerTensor>,
    part: Part,
    bytes: usize,
}

impl DeviceBlock for Block {
    fn device(&self) -> &str {
        self.memory.raw.streams().executor.name()
    }

    fn handle(&self) -> *mut c_void {
        self.part.0.opaque
    }

    fn offset(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.memory.in_use.fetch_sub(self.bytes, Relaxed);
        self.memory.raw.give(self.part.0.opaque);
    }
}
