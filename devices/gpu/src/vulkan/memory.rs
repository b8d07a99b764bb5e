//! The device's memory: buffers of wgpu as regions, of which the best-fit allocator makes blocks. A handle is a
//! region's number.

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::{Code, Result, Tensor};
use oplink_core::memory::{RawMemory, RawRegion};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use super::bindings::Bindings;
use super::gpu::Gpu;

/// The alignment of blocks: what any adapter wants of the offset of a binding.
pub(super) const ALIGNMENT: u64 = 256;

/// The regions of a device. Numbers are given out once.
pub(super) struct Buffers {
    gpu: Arc<Gpu>,
    pub(super) bindings: Bindings,
    table: RwLock<Table>,
}

#[derive(Default)]
struct Table {
    regions: Vec<(usize, Buffer)>,
    last: usize,
}

/// A part of a region.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) buffer: Buffer,
    /// The region's number.
    pub(super) region: usize,
    /// Bytes from the buffer's start.
    pub(super) offset: u64,
    /// Bytes of the elements.
    pub(super) bytes: u64,
}

impl Buffers {
    pub(super) fn new(gpu: Arc<Gpu>) -> Arc<Self> {
        Arc::new(Self { gpu, bindings: Bindings::default(), table: RwLock::default() })
    }

    /// Where a tensor's elements lie.
    ///
    /// # Errors
    /// It is not in this device's memory.
    pub(super) fn part(&self, tensor: &Tensor) -> Result<Part> {
        let memory = tensor.device_memory();
        let Some(memory) = memory.filter(|memory| memory.block.device() == self.gpu.name) else {
            let place = memory.map_or("the host's memory", |memory| memory.block.device());
            let message = format!("a {} tensor of shape {} lies in {place}", tensor.dtype(), tensor.shape());
            return Err(self.gpu.error(Code::InvalidArgument, &message));
        };
        let number = memory.block.handle().addr();
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let at = table.regions.binary_search_by_key(&number, |region| region.0);
        let at = at.map_err(|_| self.gpu.error(Code::Internal, &format!("it has no region {number}")))?;
        let buffer = table.regions[at].1.clone();
        Ok(Part { buffer, region: number, offset: memory.offset as u64, bytes: memory.bytes as u64 })
    }

    fn allocate(&self, bytes: usize) -> Option<usize> {
        let size = bytes as u64;
        if size > self.gpu.limits.max_buffer_size {
            return None;
        }
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let descriptor = BufferDescriptor { label: Some("tensors"), size, usage, mapped_at_creation: false };
        let buffer = self.gpu.checked(|| self.gpu.device.create_buffer(&descriptor)).ok()?;
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.last += 1;
        let number = table.last;
        table.regions.push((number, buffer));
        Some(number)
    }

    fn free(&self, number: usize) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        // Work that is enqueued keeps the buffer until it is done.
        table.regions.retain(|region| region.0 != number);
        self.bindings.clear();
    }

    /// Regions that are held.
    pub(super) fn count(&self) -> usize {
        self.table.read().unwrap_or_else(PoisonError::into_inner).regions.len()
    }
}

/// The same for the allocator.
pub(super) struct Regions(pub(super) Arc<Buffers>);

impl RawMemory for Regions {
    fn allocate(&self, bytes: usize) -> Option<RawRegion> {
        let handle: *mut c_void = ptr::without_provenance_mut(self.0.allocate(bytes)?);
        Some(RawRegion::new(handle, 0, bytes))
    }

    fn free(&self, region: RawRegion) {
        self.0.free(region.handle().addr());
    }

    fn alignment(&self) -> usize {
        ALIGNMENT as usize
    }
}
