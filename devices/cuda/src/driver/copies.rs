//! Copies that streams do.

use cudarc::driver::sys;
use oplink_api::Result;
use oplink_api::device::DeviceMemory;

use super::{Gpu, StreamRef};

/// A range of the GPU's memory that a tensor lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The address of the first byte, as kernels see it.
    pub address: u64,
    /// Its length.
    pub bytes: usize,
}

impl Place {
    /// Of memory of this GPU, whose handles are addresses.
    pub fn of(memory: &DeviceMemory<'_>) -> Self {
        let address = memory.block.handle().expose_provenance() + memory.offset;
        Self { address: address as u64, bytes: memory.bytes }
    }
}

/// Enqueues a copy from the host's memory.
///
/// # Errors
/// The driver's.
///
/// # Safety
/// `from` has as many bytes as `to`, memory of the GPU; both stay until the copy is done, and nobody writes them.
pub unsafe fn to_device(gpu: &Gpu, stream: StreamRef, to: Place, from: *const u8) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the GPU's context is current; the caller keeps both ranges, of one length, until the copy is done.
    let enqueued = unsafe { sys::cuMemcpyHtoDAsync_v2(to.address, from.cast(), to.bytes, stream.raw()) };
    gpu.tell("a copy to the GPU", enqueued.result())
}

/// Enqueues a copy to the host's memory.
///
/// # Errors
/// The driver's.
///
/// # Safety
/// `to` has as many bytes as `from`, memory of the GPU; both stay until the copy is done, and `to` is nobody else's.
pub unsafe fn to_host(gpu: &Gpu, stream: StreamRef, to: *mut u8, from: Place) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the GPU's context is current; the caller keeps both ranges, of one length, until the copy is done.
    let enqueued = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from.address, from.bytes, stream.raw()) };
    gpu.tell("a copy to the host", enqueued.result())
}

/// Enqueues a copy between two ranges of the GPU's memory that do not overlap, as long as the shorter one.
///
/// # Errors
/// The driver's.
///
/// # Safety
/// Both ranges stay until the copy is done.
pub unsafe fn in_device(gpu: &Gpu, stream: StreamRef, to: Place, from: Place) -> Result<()> {
    gpu.enter()?;
    let bytes = from.bytes.min(to.bytes);
    // SAFETY: the GPU's context is current; the caller keeps both ranges, which have these bytes, until the copy is
    // done.
    let enqueued = unsafe { sys::cuMemcpyDtoDAsync_v2(to.address, from.address, bytes, stream.raw()) };
    gpu.tell("a copy within the GPU", enqueued.result())
}
