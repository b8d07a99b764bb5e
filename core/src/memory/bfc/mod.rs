//! The allocator of a device's memory: best fit with coalescing over the device's own functions, which are slow.

mod exhausted;
mod raw;
mod regions;

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use oplink_api::device::DeviceBlock;
use oplink_api::{DType, Error, Result, Shape, Tensor};

pub use raw::{RawMemory, RawRegion};
pub use regions::AllocatorOptions;

use super::MemoryStatistics;
use regions::{Place, Regions};

/// What waits for work on the device that still uses memory that was given back.
type PendingFrees = Box<dyn Fn() + Send + Sync>;

/// Gives blocks of a device's memory, and takes them back when they are dropped.
///
/// A block that is given back serves the next request at once: the device's work is in order, so that later work does
/// not disturb what was enqueued before. Whatever else uses a block keeps it until then.
pub struct DeviceAllocator {
    device: String,
    regions: Mutex<Regions>,
    pending_frees: OnceLock<PendingFrees>,
}

impl DeviceAllocator {
    /// An allocator of `raw`, which belongs to the device of this full name. It holds nothing yet.
    pub fn new(device: impl Into<String>, raw: impl RawMemory + 'static, options: AllocatorOptions) -> Self {
        let regions = Mutex::new(Regions::new(Box::new(raw), options));
        Self { device: device.into(), regions, pending_frees: OnceLock::new() }
    }

    /// Sets what is called, once for a request, before the request fails: it waits until enqueued work is done and
    /// blocks that were kept for it are dropped. The first one set stays.
    pub fn on_exhaustion(&self, pending_frees: impl Fn() + Send + Sync + 'static) {
        let _ = self.pending_frees.set(Box::new(pending_frees));
    }

    /// A block of `bytes` for the node `owner`, which may be empty, with arbitrary contents.
    ///
    /// # Errors
    /// `ResourceExhausted`: there is no room, not even after pending frees. The message has the request, what is in
    /// use, the limit and the largest users.
    pub fn allocate(self: &Arc<Self>, bytes: usize, owner: &str) -> Result<Box<dyn DeviceBlock>> {
        let place = self.regions().allocate(bytes, owner);
        let place = place.or_else(|| self.retry(bytes, owner)).ok_or_else(|| self.exhausted(bytes, owner))?;
        Ok(Box::new(Block { allocator: self.clone(), place, bytes }))
    }

    /// A tensor of a plain dtype for the node `owner`.
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate); the dtype is not plain.
    pub fn tensor(self: &Arc<Self>, dtype: DType, shape: Shape, owner: &str) -> Result<Tensor> {
        let device = &self.device;
        let size = dtype.size().ok_or_else(|| {
            Error::invalid_argument(format!("a tensor of {dtype} cannot lie in the memory of {device}"))
        })?;
        let bytes = shape.checked_num_elements().and_then(|count| count.checked_mul(size));
        let bytes = bytes.ok_or_else(|| {
            Error::resource_exhausted(format!("a {dtype} tensor of shape {shape} exceeds the memory of {device}"))
        })?;
        Tensor::on_device(dtype, shape, self.allocate(bytes, owner)?)
    }

    /// How much memory is in use and held.
    pub fn statistics(&self) -> MemoryStatistics {
        self.regions().statistics()
    }

    /// Gives memory that is held but not in use back to the device, after pending frees.
    pub fn release_unused(&self) {
        self.wait_for_frees();
        self.regions().release_unused();
    }

    #[cold]
    fn retry(&self, bytes: usize, owner: &str) -> Option<Place> {
        self.wait_for_frees();
        let mut regions = self.regions();
        regions.allocate(bytes, owner).or_else(|| {
            regions.release_unused();
            regions.allocate(bytes, owner)
        })
    }

    /// Not under the lock: blocks are dropped meanwhile.
    fn wait_for_frees(&self) {
        if let Some(pending_frees) = self.pending_frees.get() {
            pending_frees();
        }
    }

    #[cold]
    fn exhausted(&self, bytes: usize, owner: &str) -> Error {
        let regions = self.regions();
        let message = exhausted::message(&self.device, bytes, owner, &regions.statistics(), regions.users());
        Error::resource_exhausted(message)
    }

    fn regions(&self) -> MutexGuard<'_, Regions> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for DeviceAllocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceAllocator({}, {:?})", self.device, self.statistics())
    }
}

/// A block of a [`DeviceAllocator`].
struct Block {
    allocator: Arc<DeviceAllocator>,
    place: Place,
    bytes: usize,
}

impl DeviceBlock for Block {
    fn device(&self) -> &str {
        &self.allocator.device
    }

    fn handle(&self) -> *mut c_void {
        self.place.region.handle()
    }

    fn offset(&self) -> usize {
        self.place.offset
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
        self.allocator.regions().give_back(self.place.address);
    }
}
