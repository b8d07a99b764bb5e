//! Copies to the GPU: from pinned memory, on a stream of their own.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::CudaEvent;
use oplink_api::{DType, Result, Shape, Tensor};
use oplink_cuda::Place;

use super::Shared;
use crate::cuda::driver;

/// A copy that was enqueued.
struct Upload {
    /// Host memory that stays as it is until the event has passed.
    source: Tensor,
    /// After the compute work before, for which the copy waits.
    begin: CudaEvent,
    /// After the copy.
    end: CudaEvent,
}

/// Copies in the order in which the stream does them.
#[derive(Default)]
pub(super) struct Uploads(Mutex<VecDeque<Upload>>);

impl Uploads {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Upload>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Copies a host tensor to a place of its length, which later compute work sees.
    pub(super) fn upload(&self, host: &Tensor, to: Place) -> Result<()> {
        self.finish_uploads();
        let source = self.pinned_copy(host)?;
        let mut uploads = self.uploads.lock();
        let streams = &self.streams;
        let begin = self.events.record(&streams.compute)?;
        self.gpu.tell("waiting for an event", streams.to_device.wait(&begin))?;
        driver::to_device(&self.gpu, &streams.to_device, to, source.as_bytes()?.as_ptr())?;
        let mark = || {
            let end = self.events.record(&streams.to_device)?;
            self.gpu.tell("waiting for an event", streams.compute.wait(&end))?;
            Ok(end)
        };
        match mark() {
            Ok(end) => {
                uploads.push_back(Upload { source, begin, end });
                Ok(())
            }
            Err(error) => {
                // The copy goes on without a mark: its source is needed until it is done.
                let _ = streams.to_device.synchronize();
                Err(error)
            }
        }
    }

    /// The tensor in pinned memory: itself if it lies there, else a copy of its bytes. Where there is no more such
    /// memory, the tensor itself, which the driver reads before it returns.
    fn pinned_copy(&self, host: &Tensor) -> Result<Tensor> {
        if self.pages.has(host.as_ptr().addr()) {
            return Ok(host.clone());
        }
        let Ok(mut copy) = Tensor::allocate(DType::UInt8, Shape::new(&[host.num_bytes()]), Some(&self.pinned)) else {
            return Ok(host.clone());
        };
        copy.as_mut_bytes()?.copy_from_slice(host.as_bytes()?);
        Ok(copy)
    }

    /// Gives back what copies used that are done.
    pub(super) fn finish_uploads(&self) {
        if self.gpu.enter().is_err() {
            // The driver does nothing any more; what the copies used goes with the context.
            return;
        }
        let mut uploads = self.uploads.lock();
        while uploads.front().is_some_and(|upload| upload.end.is_complete()) {
            if let Some(Upload { source, begin, end }) = uploads.pop_front() {
                drop(source);
                self.events.give(begin);
                self.events.give(end);
            }
        }
    }
}
