//! Copies and launches on streams of this crate: the folder's contract in the place of the caller's.

use cudarc::driver::{CudaStream, DriverError};
use oplink_api::Result;
use oplink_cuda::{Function, Gpu, Place, StreamRef};

/// Enqueues a copy from the host's memory, which has as many bytes as `to` and stays as it is until the copy is done.
pub(crate) fn to_device(gpu: &Gpu, stream: &CudaStream, to: Place, from: *const u8) -> Result<()> {
    // SAFETY: the caller keeps both ranges, of one length, until the copy is done.
    unsafe { oplink_cuda::to_device(gpu, StreamRef::of(stream), to, from) }
}

/// Enqueues a copy to the host's memory, which has as many bytes as `from` and is nobody else's until the copy is done.
pub(crate) fn to_host(gpu: &Gpu, stream: &CudaStream, to: *mut u8, from: Place) -> Result<()> {
    // SAFETY: the caller keeps both ranges, of one length, until the copy is done.
    unsafe { oplink_cuda::to_host(gpu, StreamRef::of(stream), to, from) }
}

/// Enqueues a copy between two ranges of one length that do not overlap.
pub(crate) fn in_device(gpu: &Gpu, stream: &CudaStream, to: Place, from: Place) -> Result<()> {
    // SAFETY: the caller keeps both ranges until the copy is done.
    unsafe { oplink_cuda::in_device(gpu, StreamRef::of(stream), to, from) }
}

/// Enqueues a function, whose parameters the slots were made for.
pub(crate) fn launch(
    function: &Function,
    gpu: &Gpu,
    stream: &CudaStream,
    grid: [u32; 3],
    block: [u32; 3],
    slots: &mut [u64],
) -> std::result::Result<(), DriverError> {
    // SAFETY: the slots are those of the function's program; the caller keeps the memory until the work is done.
    unsafe { function.launch(gpu, StreamRef::of(stream), grid, block, slots) }
}
