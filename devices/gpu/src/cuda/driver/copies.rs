//! Copies that streams do.

use cudarc::driver::{CudaStream, sys};
use oplink_api::Result;
use oplink_api::device::DeviceMemory;

use super::Gpu;

/// A range of the GPU's memory that a tensor lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The address of the first byte, as kernels see it.
    pub(crate) address: u64,
    pub(crate) bytes: usize,
}

impl Place {
    /// Of memory of this GPU, whose handles are addresses.
    pub(crate) fn of(memory: &DeviceMemory<'_>) -> Self {
        let address = memory.block.handle().expose_provenance() + memory.offset;
        Self { address: address as u64, bytes: memory.bytes }
    }
}

/// Enqueues a copy from the host's memory, which has as many bytes as `to` and stays as it is until the copy is done.
pub(crate) fn to_device(gpu: &Gpu, stream: &CudaStream, to: Place, from: *const u8) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the GPU's context is current; the caller keeps both ranges, of one length, until the copy is done.
    let enqueued = unsafe { sys::cuMemcpyHtoDAsync_v2(to.address, from.cast(), to.bytes, stream.cu_stream()) };
    gpu.tell("a copy to the GPU", enqueued.result())
}

/// Enqueues a copy to the host's memory, which has as many bytes as `from` and is nobody else's until the copy is done.
pub(crate) fn to_host(gpu: &Gpu, stream: &CudaStream, to: *mut u8, from: Place) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the GPU's context is current; the caller keeps both ranges, of one length, until the copy is done.
    let enqueued = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from.address, from.bytes, stream.cu_stream()) };
    gpu.tell("a copy to the host", enqueued.result())
}

/// Enqueues a copy between two ranges of one length that do not overlap.
pub(crate) fn in_device(gpu: &Gpu, stream: &CudaStream, to: Place, from: Place) -> Result<()> {
    gpu.enter()?;
    let bytes = from.bytes.min(to.bytes);
    // SAFETY: the GPU's context is current; the caller keeps both ranges, which have these bytes, until the copy is
    // done.
    let enqueued = unsafe { sys::cuMemcpyDtoDAsync_v2(to.address, from.address, bytes, stream.cu_stream()) };
    gpu.tell("a copy within the GPU", enqueued.result())
}
