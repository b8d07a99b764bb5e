//! Streams of any owner, and which context they belong to.

use std::ffi::c_void;

use cudarc::driver::sys::{self, CUcontext, CUstream};
use cudarc::driver::{CudaStream, DriverError, result};

/// A stream that somebody else owns; null is the default stream of the current context.
#[derive(Clone, Copy, Debug)]
pub struct StreamRef(CUstream);

// SAFETY: the driver takes calls for a stream from any thread.
unsafe impl Send for StreamRef {}
// SAFETY: the reference is a handle, which is only copied; calls for it are taken from any thread.
unsafe impl Sync for StreamRef {}

impl StreamRef {
    /// A stream of cudarc's.
    pub fn of(stream: &CudaStream) -> Self {
        Self(stream.cu_stream())
    }

    /// A stream by its handle.
    ///
    /// # Safety
    /// The stream is alive as long as the reference and its copies are used.
    pub unsafe fn from_raw(stream: *mut c_void) -> Self {
        Self(stream.cast())
    }

    /// The handle.
    pub fn raw(self) -> CUstream {
        self.0
    }
}

/// The context of a stream; for the default stream that which is current on this thread, null where there is none.
pub(crate) fn stream_context(stream: StreamRef) -> Result<CUcontext, DriverError> {
    let mut context = std::ptr::null_mut();
    if stream.0.is_null() {
        return current_context();
    }
    // SAFETY: the folder's contract; the stream is alive, the place is written to.
    unsafe { sys::cuStreamGetCtx(stream.0, &raw mut context) }.result()?;
    Ok(context)
}

/// The context that is current on this thread; null where there is none.
pub(crate) fn current_context() -> Result<CUcontext, DriverError> {
    let mut context = std::ptr::null_mut();
    // SAFETY: the folder's contract; the place is written to.
    unsafe { sys::cuCtxGetCurrent(&raw mut context) }.result()?;
    Ok(context)
}

/// The number of the GPU that the current context is of.
pub(crate) fn ordinal_of() -> Result<usize, DriverError> {
    let mut device = 0;
    // SAFETY: the folder's contract; the place is written to.
    unsafe { sys::cuCtxGetDevice(&raw mut device) }.result()?;
    // A device's handle is its number.
    Ok(usize::try_from(device).unwrap_or(0))
}

/// A context that is current on this thread until this goes; then that is which was before.
pub(crate) struct Entered {
    before: Option<CUcontext>,
}

impl Entered {
    /// Makes a context current, which is alive.
    pub(crate) fn new(context: CUcontext) -> Result<Self, DriverError> {
        let current = current_context()?;
        if current == context {
            return Ok(Self { before: None });
        }
        // SAFETY: the folder's contract; the context is alive.
        unsafe { result::ctx::set_current(context) }?;
        Ok(Self { before: Some(current) })
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: it was current before, or there was none. Nobody is left who could be told of a failure.
            let _ = unsafe { result::ctx::set_current(before) };
        }
    }
}

/// Makes a context current that was before, or none.
pub(crate) fn set_current(context: CUcontext) -> Result<(), DriverError> {
    // SAFETY: the folder's contract; the context is alive, or null.
    unsafe { result::ctx::set_current(context) }
}

/// Waits for the work that a stream of the current context was given.
pub(crate) fn synchronize(stream: StreamRef) -> Result<(), DriverError> {
    // SAFETY: the folder's contract; the stream is alive.
    unsafe { result::stream::synchronize(stream.0) }
}

/// New memory of the current context, for work that the stream is given from now on.
pub(crate) fn allocate(stream: StreamRef, bytes: usize) -> Result<u64, DriverError> {
    // SAFETY: the folder's contract; the stream is alive.
    unsafe { result::malloc_async(stream.0, bytes) }
}

/// Gives memory back: after the work that the stream was given, or without one after all work of the context.
///
/// # Safety
/// The address is one of [`allocate`], and nobody uses it later.
pub(crate) unsafe fn free(address: u64, stream: Option<StreamRef>) {
    // SAFETY: the contract of this function; there is nobody who could be told of a failure.
    let _ = unsafe {
        match stream {
            Some(stream) => result::free_async(address, stream.0),
            None => result::free_sync(address),
        }
    };
}
