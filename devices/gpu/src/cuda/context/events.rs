//! Events that are used again.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaStream};
use oplink_api::Result;
use oplink_cuda::Gpu;

/// Unused events that are kept.
const KEPT: usize = 64;

/// Events of one kind.
pub(super) struct Events {
    gpu: Arc<Gpu>,
    kind: CUevent_flags,
    free: Mutex<Vec<CudaEvent>>,
}

impl Events {
    pub(super) fn new(gpu: Arc<Gpu>, kind: CUevent_flags) -> Self {
        Self { gpu, kind, free: Mutex::default() }
    }

    /// An event at the end of what the stream was given so far.
    pub(super) fn record(&self, stream: &CudaStream) -> Result<CudaEvent> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let make = || self.gpu.tell("making an event", self.gpu.context().new_event(Some(self.kind)));
        let event = free.map_or_else(make, Ok)?;
        self.gpu.tell("recording an event", event.record(stream))?;
        Ok(event)
    }

    /// Takes an event back that has passed.
    pub(super) fn give(&self, event: CudaEvent) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < KEPT {
            free.push(event);
        }
    }
}
