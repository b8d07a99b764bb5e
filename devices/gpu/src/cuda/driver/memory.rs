//! Memory of the GPU, and pages of the host that it copies from and to without help.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{CudaStream, result, sys};
use oplink_core::memory::{RawHostMemory, RawMemory, RawRegion};
use oplink_cuda::Gpu;

/// The alignment of blocks: that of the driver's own allocations, which libraries count on.
const ALIGNMENT: usize = 256;

/// Regions of the GPU's memory. Handles are addresses.
pub(crate) struct DeviceRegions {
    gpu: Arc<Gpu>,
    compute: Arc<CudaStream>,
}

impl DeviceRegions {
    /// The memory of `gpu`, whose work is on the stream `compute` or waited for by it.
    pub(crate) fn new(gpu: Arc<Gpu>, compute: Arc<CudaStream>) -> Self {
        Self { gpu, compute }
    }
}

impl RawMemory for DeviceRegions {
    fn allocate(&self, bytes: usize) -> Option<RawRegion> {
        self.gpu.enter().ok()?;
        // SAFETY: the folder's contract; what the memory holds does not matter.
        let address = unsafe { result::malloc_sync(bytes) }.ok()?;
        let handle: *mut c_void = ptr::with_exposed_provenance_mut(usize::try_from(address).ok()?);
        Some(RawRegion::new(handle, 0, bytes))
    }

    fn free(&self, region: RawRegion) {
        // Tensors go while work that is enqueued still uses their memory: that work is done first. After a failure
        // there is nobody left who could be told, and the driver takes all memory back with the context.
        let _ = self.compute.synchronize();
        if self.gpu.enter().is_ok() {
            // SAFETY: an address of `allocate`, freed once; no work uses it any more.
            let _ = unsafe { result::memory_free(region.handle().expose_provenance() as sys::CUdeviceptr) };
        }
    }

    fn alignment(&self) -> usize {
        ALIGNMENT
    }
}

/// Pages of the host that stay where they are, so that copies go on while the host does something else.
pub(crate) struct PinnedPages {
    gpu: Arc<Gpu>,
    /// Lengths by address of what is given out.
    held: Mutex<BTreeMap<usize, usize>>,
}

impl PinnedPages {
    pub(crate) fn new(gpu: Arc<Gpu>) -> Self {
        Self { gpu, held: Mutex::default() }
    }

    /// Whether the host's memory at this address is such a page.
    pub(crate) fn has(&self, address: usize) -> bool {
        let held = self.held();
        held.range(..=address).next_back().is_some_and(|(start, len)| address - start < *len)
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<usize, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// SAFETY: the driver's pages are aligned to their size, and valid for the host until they are freed.
unsafe impl RawHostMemory for PinnedPages {
    fn allocate(&self, bytes: usize) -> Option<NonNull<u8>> {
        self.gpu.enter().ok()?;
        // SAFETY: the folder's contract; portable memory serves every context of the process.
        let start = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) }.ok()?;
        let start = NonNull::new(start.cast::<u8>())?;
        self.held().insert(start.addr().get(), bytes);
        Some(start)
    }

    unsafe fn free(&self, ptr: NonNull<u8>, _: usize) {
        self.held().remove(&ptr.addr().get());
        if self.gpu.enter().is_ok() {
            // SAFETY: an address of `allocate`, freed once, as the caller promises.
            let _ = unsafe { result::free_host(ptr.as_ptr().cast()) };
        }
    }
}
