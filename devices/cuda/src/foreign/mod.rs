//! Work on a stream that another framework of the process made, on memory that it owns.
//!
//! A [`Call`] is one use of such a stream: while it lasts the stream's GPU is current on the thread, and tensors over
//! the framework's memory, or over memory that kernels allocate meanwhile, are the [`DeviceContext`]'s. Work is
//! enqueued and not waited for, as the framework does with its own. When the call is over its tensors are refused, so
//! that a kernel that kept one gets an error and no memory of somebody else.
//!
//! Memory that kernels allocate comes from the stream's own allocator (`cuMemAllocAsync`), in the stream's order.
#![allow(unsafe_code, reason = "room: streams and memory of another framework")]

mod context;
mod gpus;
mod memory;

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oplink_api::device::DeviceContext;
use oplink_api::{DType, Result, Shape, Tensor};

use crate::driver::{Entered, StreamRef};
use context::StreamContext;
use gpus::OpenGpu;
use memory::Block;

/// A stream for as long as a call lasts.
struct Lease {
    opened: &'static OpenGpu,
    stream: StreamRef,
    is_over: AtomicBool,
}

/// One use of a stream, by the thread that began it.
pub struct Call {
    stream: ForeignStream,
    /// Goes last: what the call made is freed with the GPU current.
    _entered: Entered,
}

impl Call {
    /// Begins to use a stream. A default stream (null) is that of the GPU of this number, or where the framework tells
    /// none, of the context that is current on the thread.
    ///
    /// # Errors
    /// There is no driver, or it is too old; the stream is of no GPU's primary context.
    ///
    /// # Safety
    /// The stream is alive until the call is dropped.
    pub unsafe fn begin(stream: *mut c_void, ordinal: Option<usize>) -> Result<Self> {
        // SAFETY: the contract of this function.
        let stream = unsafe { StreamRef::from_raw(stream) };
        let opened = gpus::of_stream(stream, ordinal)?;
        let entered = Entered::new(opened.gpu.context().cu_ctx());
        let entered = opened.gpu.tell("making the context current", entered)?;
        let lease = Lease { opened, stream, is_over: AtomicBool::new(false) };
        Ok(Self { stream: ForeignStream(Arc::new(lease)), _entered: entered })
    }

    /// The stream, which other threads may use too until the call is over.
    pub fn stream(&self) -> &ForeignStream {
        &self.stream
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.stream.0.is_over.store(true, Ordering::Release);
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Call").field(&self.stream).finish()
    }
}

/// The stream of a call.
#[derive(Clone)]
pub struct ForeignStream(Arc<Lease>);

impl ForeignStream {
    /// The queue that kernels enqueue their work on.
    pub fn context(&self) -> Arc<dyn DeviceContext> {
        Arc::new(StreamContext(self.0.clone()))
    }

    /// A tensor over memory of the framework on the stream's GPU.
    ///
    /// # Errors
    /// The dtype has no elements of a fixed size, the shape has too many, or the address is none.
    ///
    /// # Safety
    /// As many elements as the shape has lie at the address, in the GPU's memory. They stay until work that the stream
    /// was given so far is done; whoever else writes them, or reads what kernels write, is ordered with the stream.
    pub unsafe fn tensor(&self, dtype: DType, shape: Shape, address: *mut u8) -> Result<Tensor> {
        let block = Block::foreign(self.0.clone(), dtype, &shape, address)?;
        Tensor::on_device(dtype, shape, Box::new(block))
    }
}

impl fmt::Debug for ForeignStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignStream").field("gpu", &self.0.opened.gpu).field("stream", &self.0.stream).finish()
    }
}
