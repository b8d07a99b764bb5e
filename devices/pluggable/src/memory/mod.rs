//! A device's memory: divided by the host where the platform asks for that, else an allocation of the plugin's for each
//! tensor.

mod block;
mod raw;

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::{Code, DType, Error, ErrorKind, Result, Shape, Tensor};
use oplink_core::DeviceOptions;
use oplink_core::memory::MemoryStatistics;

use crate::executor::Part;
use crate::lanes::Lanes;
use block::Block;
use raw::RawDeviceMemory;

/// The memory of one device.
pub(crate) struct Memory {
    raw: Arc<RawDeviceMemory>,
    counts: Arc<Counts>,
    limit: usize,
}

/// What is given out.
#[derive(Default)]
struct Counts {
    in_use: AtomicUsize,
    peak: AtomicUsize,
    allocations: AtomicU64,
}

impl Counts {
    fn given_out(&self, bytes: usize) {
        let in_use = self.in_use.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(in_use, Relaxed);
        self.allocations.fetch_add(1, Relaxed);
    }

    fn given_back(&self, bytes: usize) {
        self.in_use.fetch_sub(bytes, Relaxed);
    }
}

impl Memory {
    pub(crate) fn new(lanes: Arc<Lanes>, options: &DeviceOptions) -> Result<Self> {
        let total = lanes.executor.memory_usage().and_then(|(_, total)| usize::try_from(total).ok());
        let limit = options.memory_limit_of(total.unwrap_or(usize::MAX))?;
        Ok(Self { raw: RawDeviceMemory::new(lanes), counts: Arc::default(), limit })
    }

    /// Sets what is waited for where memory runs out: whatever holds tensors until work is done.
    pub(crate) fn wait_on_demand(&self, hook: impl Fn() + Send + Sync + 'static) {
        self.raw.wait_on_demand(Box::new(hook));
    }

    /// Bytes that tensors may take.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// A tensor of a plain dtype, with arbitrary contents.
    pub(crate) fn allocate(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        let executor = &self.raw.lanes().executor;
        let bytes = dtype.size().zip(shape.checked_num_elements()).and_then(|(size, count)| size.checked_mul(count));
        let Some(bytes) = bytes else {
            let message = format!("no device memory for a {dtype} tensor of shape {shape}");
            return Err(executor.error(Code::InvalidArgument, message));
        };
        let size = bytes.max(1);
        if !self.fits(size) {
            self.raw.wait_for_leaving();
        }
        let memory = if self.fits(size) { self.raw.take(size) } else { None };
        let Some(part) = memory.map(Part) else { return Err(self.exhausted(owner, dtype, &shape, bytes)) };
        self.counts.given_out(size);
        let block = Block { memory: self.raw.clone(), part, bytes: size, count: self.counts.clone() };
        Tensor::on_device(dtype, shape, Box::new(block))
    }

    fn fits(&self, bytes: usize) -> bool {
        self.counts.in_use.load(Relaxed).saturating_add(bytes) <= self.limit
    }

    #[cold]
    fn exhausted(&self, owner: &str, dtype: DType, shape: &Shape, bytes: usize) -> Error {
        let name = self.raw.lanes().executor.name();
        let node = if owner.is_empty() { String::new() } else { format!(" for node `{owner}`") };
        let (in_use, limit) = (self.counts.in_use.load(Relaxed), self.limit);
        let message = format!(
            "{name}: out of memory{node}: {bytes} bytes for a {dtype} tensor of shape {shape}; {in_use} of {limit} bytes are in use"
        );
        Error::new(Code::ResourceExhausted, ErrorKind::Resource, message)
    }

    /// The plugin's description of an allocation that a tensor lies in.
    pub(crate) fn allocation(&self, handle: *mut c_void) -> Option<SP_DeviceMemoryBase> {
        self.raw.allocation(handle)
    }

    /// Gives back what no work uses any more.
    pub(crate) fn release_unused(&self) {
        self.raw.finish_leaving();
    }

    /// What is in use and held: as the plugin's allocator tells where it does, else as counted here.
    pub(crate) fn statistics(&self) -> MemoryStatistics {
        let bytes = |count: i64| usize::try_from(count).unwrap_or(0);
        let counted = (self.counts.in_use.load(Relaxed), self.counts.peak.load(Relaxed));
        let told = self.raw.lanes().executor.allocator_stats();
        let allocations = self.counts.allocations.load(Relaxed);
        MemoryStatistics {
            in_use: counted.0,
            peak_in_use: counted.1,
            reserved: told.map_or(counted.0, |told| bytes(told.bytes_reserved)),
            peak_reserved: told.map_or(counted.1, |told| bytes(told.peak_bytes_reserved)),
            allocations,
            system_allocations: told.map_or(allocations, |told| told.num_allocs.try_into().unwrap_or(0)),
        }
    }
}
