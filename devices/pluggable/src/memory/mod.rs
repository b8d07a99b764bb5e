//! A device's memory: divided by the host where the platform asks for that, else an allocation of the plugin's for each
//! tensor.

mod per_tensor;
mod raw;

use std::ffi::c_void;
use std::sync::Arc;

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::{DType, Result, Shape, Tensor};
use oplink_core::DeviceOptions;
use oplink_core::memory::{AllocatorOptions, DeviceAllocator, MemoryStatistics};

use crate::stream_group::StreamGroup;
use per_tensor::PerTensor;
use raw::{RawDeviceMemory, Regions, SharedMemory};

/// The memory of one device.
pub(crate) struct Memory {
    raw: SharedMemory,
    allocator: Allocator,
    limit: usize,
}

enum Allocator {
    /// Best fit over large regions.
    BestFit(Arc<DeviceAllocator>),
    PerTensor(Arc<PerTensor>),
}

impl Memory {
    pub(crate) fn new(streams: Arc<StreamGroup>, options: &DeviceOptions) -> Result<Self> {
        let platform = streams.executor.platform().clone();
        let total = streams.executor.memory_usage().and_then(|(_, total)| usize::try_from(total).ok());
        let limit = options.memory_limit_of(total.unwrap_or(usize::MAX))?;
        let (name, raw) = (streams.executor.name().to_owned(), RawDeviceMemory::new(streams));
        let allocator = if platform.divides_memory() {
            let allow_growth = options.allow_growth || platform.forces_growth();
            let options = AllocatorOptions { limit, allow_growth };
            Allocator::BestFit(Arc::new(DeviceAllocator::new(name, Regions(raw.clone()), options)))
        } else {
            Allocator::PerTensor(Arc::new(PerTensor::new(raw.clone(), limit)))
        };
        Ok(Self { raw, allocator, limit })
    }

    /// Sets what is waited for where memory runs out: whatever holds tensors until work is done.
    pub(crate) fn on_exhaustion(&self, wait: impl Fn() + Send + Sync + 'static) {
        match &self.allocator {
            Allocator::BestFit(allocator) => allocator.on_exhaustion(wait),
            Allocator::PerTensor(allocator) => allocator.on_exhaustion(wait),
        }
    }

    /// Bytes that tensors may take.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// A tensor of a plain dtype, with arbitrary contents.
    pub(crate) fn allocate(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        match &self.allocator {
            Allocator::BestFit(allocator) => allocator.tensor(dtype, shape, owner),
            Allocator::PerTensor(allocator) => allocator.tensor(dtype, shape, owner),
        }
    }

    /// The plugin's description of an allocation that a tensor lies in.
    pub(crate) fn allocation(&self, handle: *mut c_void) -> Option<SP_DeviceMemoryBase> {
        self.raw.allocation(handle)
    }

    /// Gives back what is held but not in use.
    pub(crate) fn release_unused(&self) {
        if let Allocator::BestFit(allocator) = &self.allocator {
            allocator.release_unused();
        }
        self.raw.finish_leaving();
    }

    pub(crate) fn statistics(&self) -> MemoryStatistics {
        match &self.allocator {
            Allocator::BestFit(allocator) => allocator.statistics(),
            Allocator::PerTensor(allocator) => allocator.statistics(),
        }
    }
}
