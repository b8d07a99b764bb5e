//! The GPU of a framework that is made up: its context, its streams and its memory.
#![allow(unsafe_code, reason = "room: calls into the driver of CUDA, as a framework makes them")]

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, CudaStream, result};

/// The context, which frameworks never end.
pub fn context() -> &'static Arc<CudaContext> {
    static CONTEXT: OnceLock<Arc<CudaContext>> = OnceLock::new();
    CONTEXT.get_or_init(|| {
        let context = CudaContext::new(0).expect("a GPU of CUDA");
        // SAFETY: concerns memory that cudarc owns; none is used here.
        unsafe { context.disable_event_tracking() };
        context
    })
}

/// Whether a context is current on this thread.
pub fn has_current() -> bool {
    result::ctx::get_current().expect("the driver answers").is_some()
}

/// A stream and memory that calls use.
#[derive(Debug)]
pub struct Gpu {
    stream: Option<Arc<CudaStream>>,
}

impl Gpu {
    /// A new stream.
    pub fn new() -> Self {
        Self { stream: Some(context().new_stream().expect("a stream")) }
    }

    /// The default stream.
    pub fn of_default_stream() -> Self {
        context().bind_to_thread().expect("the context");
        Self { stream: None }
    }

    /// The stream's handle.
    pub fn stream(&self) -> *mut c_void {
        self.stream.as_ref().map_or(std::ptr::null_mut(), |stream| stream.cu_stream().cast())
    }

    /// New memory; at least one byte of it.
    pub fn allocate(&self, bytes: usize) -> Memory {
        context().bind_to_thread().expect("the context");
        // SAFETY: the context is current.
        let address = unsafe { result::malloc_sync(bytes.max(1)) }.expect("memory");
        Memory { address, bytes }
    }

    /// New memory with these bytes, in the stream's order.
    pub fn upload(&self, bytes: &[u8]) -> Memory {
        let memory = self.allocate(bytes.len());
        self.write(&memory, bytes);
        memory
    }

    /// Writes the first bytes of memory, in the stream's order.
    pub fn write(&self, memory: &Memory, bytes: &[u8]) {
        assert!(bytes.len() <= memory.bytes);
        context().bind_to_thread().expect("the context");
        if !bytes.is_empty() {
            // SAFETY: the memory has as many bytes; the driver has read them when it returns, as they are no pages.
            unsafe { result::memcpy_htod_async(memory.address, bytes, self.stream().cast()) }.expect("a copy");
        }
    }

    /// The bytes when the stream's work is done.
    pub fn download(&self, memory: &Memory) -> Vec<u8> {
        context().bind_to_thread().expect("the context");
        let mut bytes = vec![0; memory.bytes];
        if !bytes.is_empty() {
            // SAFETY: the memory has as many bytes; the wait is for the copy.
            unsafe {
                result::memcpy_dtoh_async(&mut bytes, memory.address, self.stream().cast()).expect("a copy");
                result::stream::synchronize(self.stream().cast()).expect("the stream's work");
            }
        }
        bytes
    }

    /// Waits for the stream's work.
    pub fn wait(&self) {
        context().bind_to_thread().expect("the context");
        // SAFETY: the stream is alive.
        unsafe { result::stream::synchronize(self.stream().cast()) }.expect("the stream's work");
    }
}

impl Default for Gpu {
    fn default() -> Self {
        Self::new()
    }
}

/// Memory of the GPU. It goes when all work that was given to streams is done.
#[derive(Debug)]
pub struct Memory {
    address: u64,
    bytes: usize,
}

impl Memory {
    /// Its address.
    pub fn address(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.address as usize)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if context().bind_to_thread().is_ok() && context().synchronize().is_ok() {
            // SAFETY: an address of `allocate`, freed once; no work uses it any more.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}
