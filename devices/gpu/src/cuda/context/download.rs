//! Copies to the host: into pinned memory, on a stream of their own; a thread hands the results out in order.

use std::time::{Duration, Instant};

use cudarc::driver::{CudaEvent, DriverError};
use oplink_api::{DType, Result, Tensor};
use oplink_cuda::Place;

use super::Shared;
use crate::cuda::driver;
use crate::downloads::Done;

/// How long the thread looks again and again before it sleeps.
const LOOKS: Duration = Duration::from_micros(100);

/// A copy that was enqueued.
pub(super) struct Download {
    /// Kept until the copy is done.
    source: Tensor,
    /// Written by the copy, and nobody else's until then.
    target: Tensor,
    /// After the compute work before, for which the copy waits.
    begin: CudaEvent,
    /// After the copy.
    end: CudaEvent,
}

impl Shared {
    /// Copies a place, which has the elements of `source`, to the host.
    pub(super) fn download(&self, source: &Tensor, from: Place, done: Done) {
        self.downloads.push(|| self.enqueue_download(source, from), done);
    }

    fn enqueue_download(&self, source: &Tensor, from: Place) -> Result<Download> {
        let streams = &self.streams;
        let _turn = self.capture.turn();
        let mut target = self.pinned_target(source)?;
        let begin = self.events.record(&streams.compute)?;
        self.gpu.tell("waiting for an event", streams.to_host.wait(&begin))?;
        driver::to_host(&self.gpu, &streams.to_host, target.as_mut_bytes()?.as_mut_ptr(), from)?;
        match self.ends.record(&streams.to_host) {
            Ok(end) => Ok(Download { source: source.clone(), target, begin, end }),
            Err(error) => {
                // The copy goes on without a mark: source and target are needed until it is done.
                let _ = streams.to_host.synchronize();
                Err(error)
            }
        }
    }

    /// Host memory for a tensor's elements; ordinary memory where there is no more that is pinned. Bools come as bytes:
    /// what a kernel wrote is looked at before it counts as one.
    fn pinned_target(&self, source: &Tensor) -> Result<Tensor> {
        let dtype = if source.dtype() == DType::Bool { DType::UInt8 } else { source.dtype() };
        let shape = source.shape();
        Tensor::allocate(dtype, shape.clone(), Some(&self.pinned))
            .or_else(|_| Tensor::allocate(dtype, shape.clone(), None))
    }

    /// The thread: hands out what has arrived, in order, until it is stopped.
    pub(super) fn hand_out(&self) {
        self.downloads.hand_out(|download| {
            let arrived = self.gpu.enter().and_then(|()| self.gpu.tell("a copy to the host", wait(&download.end)));
            let Download { source, target, begin, end } = download;
            let (dtype, shape) = (source.dtype(), source.shape().clone());
            drop(source);
            if arrived.is_ok() {
                self.events.give(begin);
                self.ends.give(end);
            }
            match dtype {
                DType::Bool => arrived.and_then(|()| Tensor::from_bytes(dtype, shape, target.as_bytes()?)),
                _ => arrived.map(|()| target),
            }
        });
    }
}

/// Waits for an event: awake for a moment, which is the time of a small copy, then asleep.
fn wait(event: &CudaEvent) -> std::result::Result<(), DriverError> {
    let start = Instant::now();
    while start.elapsed() < LOOKS {
        if event.try_is_complete()? {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    event.synchronize()
}
