//! Work that is recorded and enqueued again: CUDA graphs.
//!
//! A graph names memory by its address. So whatever tensor a piece of recorded work uses is kept as long as the graph.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{Code, Error, ErrorKind, Result, Tensor};

use super::{CudaDeviceContext, Shared};
use crate::cuda::driver::Graph;

/// What is kept while work is recorded.
#[derive(Default)]
pub(super) struct Capture {
    is_on: AtomicBool,
    kept: Mutex<Vec<Tensor>>,
}

impl Capture {
    /// Keeps a tensor that enqueued work uses, where that is recorded.
    pub(super) fn keep(&self, tensor: &Tensor) {
        if self.is_on.load(Ordering::Acquire) {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(tensor.clone());
        }
    }

    /// Refuses what cannot be a part of recorded work.
    pub(super) fn refuse(&self, device: &str, what: &str) -> Result<()> {
        if !self.is_on.load(Ordering::Acquire) {
            return Ok(());
        }
        let message = format!("{device}: {what} cannot be recorded: do it before or after CudaDeviceContext::record");
        Err(Error::new(Code::FailedPrecondition, ErrorKind::Device, message))
    }

    fn take(&self) -> Vec<Tensor> {
        mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Recorded work of a GPU of CUDA, with the memory that it uses.
pub struct CudaGraph {
    /// Goes before the memory and the stream.
    graph: Option<Graph>,
    kept: Vec<Tensor>,
    shared: Arc<Shared>,
}

impl CudaGraph {
    /// Enqueues the work. It reads and writes the memory of the tensors that it was recorded with.
    ///
    /// # Errors
    /// The driver's.
    pub fn launch(&self) -> Result<()> {
        self.graph.as_ref().map_or(Ok(()), |graph| graph.launch(&self.shared.gpu))
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        // What was recorded is given back to the driver next, on this thread.
        let _ = self.shared.gpu.enter();
    }
}

impl fmt::Debug for CudaGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaGraph").field("tensors", &self.kept.len()).finish_non_exhaustive()
    }
}

impl CudaDeviceContext {
    /// Records what `work` enqueues on the compute stream, instead of doing it: launches, products, convolutions and
    /// copies within the GPU. What other threads enqueue meanwhile is recorded too. Programs and libraries are loaded
    /// when they are first used: do the work once before, so that this is not part of the record.
    ///
    /// # Errors
    /// The work's own; copies to and from the host and waiting, which cannot be recorded; the driver's.
    pub fn record(&self, work: impl FnOnce() -> Result<()>) -> Result<CudaGraph> {
        let Shared { gpu, streams, capture, .. } = &*self.shared;
        if capture.is_on.swap(true, Ordering::AcqRel) {
            return Err(Error::internal(format!("{}: work is being recorded already", gpu.name())));
        }
        let worked = Graph::begin(gpu, &streams.compute).and_then(|()| {
            let worked = work();
            let graph = Graph::end(gpu, &streams.compute);
            worked.and(graph)
        });
        capture.is_on.store(false, Ordering::Release);
        let kept = capture.take();
        Ok(CudaGraph { graph: worked?, kept, shared: self.shared.clone() })
    }
}
