//! Work of a stream that is recorded instead of done, and enqueued as a whole later, as often as is wanted.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaGraph, CudaStream};
use oplink_api::Result;
use oplink_cuda::Gpu;

/// Recorded work.
pub(crate) struct Graph(Mutex<Recorded>);

struct Recorded(CudaGraph);

// SAFETY: the driver lets any thread use a graph, one at a time; the mutex keeps it so.
unsafe impl Send for Recorded {}

impl Graph {
    /// From now on the stream records what it is given. Other streams, and calls that are not of a stream, go on.
    pub(crate) fn begin(gpu: &Gpu, stream: &CudaStream) -> Result<()> {
        gpu.enter()?;
        let begun = stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
        gpu.tell("beginning to record work", begun)
    }

    /// What the stream recorded; `None` where that is nothing. The stream works again, also after an error.
    pub(crate) fn end(gpu: &Gpu, stream: &Arc<CudaStream>) -> Result<Option<Self>> {
        gpu.enter()?;
        let ended = stream.end_capture(CUgraphInstantiate_flags(0));
        gpu.tell("recording work", ended).map(|graph| graph.map(|graph| Self(Mutex::new(Recorded(graph)))))
    }

    /// Enqueues the work on the stream that recorded it. The caller keeps the memory that it uses.
    pub(crate) fn launch(&self, gpu: &Gpu) -> Result<()> {
        let graph = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gpu.tell("enqueueing recorded work", graph.0.launch())
    }
}
