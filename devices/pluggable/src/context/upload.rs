//! Copies to the device: from pinned buffers, on a stream of their own.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_api::{Code, DType, Error, Result, Shape, Tensor};

use super::Shared;
use crate::executor::{Event, Part, Pinned, Progress};

/// A copy that was enqueued; the buffer stays as it is until the event has passed.
struct Upload {
    event: Event,
    buffer: Pinned,
    dtype: DType,
    shape: Shape,
}

/// Copies in the order in which the stream does them.
#[derive(Default)]
pub(super) struct Uploads(Mutex<VecDeque<Upload>>);

impl Uploads {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Upload>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what copies use for good: they may go on.
    pub(super) fn leak(&self) {
        std::mem::forget(std::mem::take(&mut *self.lock()));
    }
}

impl Shared {
    /// Copies a host tensor to a part of its length, which later compute work sees.
    pub(super) fn upload(&self, host: &Tensor, to: Part) -> Result<()> {
        let bytes = host.as_bytes()?;
        self.finish_uploads();
        let Some(mut buffer) = self.staging.take(bytes.len()) else { return self.upload_now(bytes, to) };
        buffer.as_mut_slice()[..bytes.len()].copy_from_slice(bytes);
        match self.enqueue_upload(host, buffer, to) {
            Err(error) if error.code() == Code::Unimplemented => self.upload_now(bytes, to),
            enqueued => enqueued,
        }
    }

    /// The part may be memory that compute work before still uses, so the copy waits for that work; compute work after
    /// waits for the copy.
    fn enqueue_upload(&self, host: &Tensor, buffer: Pinned, to: Part) -> Result<()> {
        let streams = &self.streams;
        let mut uploads = self.uploads.lock();
        let enqueue = || {
            streams.to_device.wait_for_stream(&streams.compute)?;
            streams.executor.enqueue_to_device(&streams.to_device, &buffer, to)
        };
        if let Err(error) = enqueue() {
            self.staging.give(buffer);
            return Err(error);
        }
        let mark = || {
            let event = self.events.take()?;
            event.record(&streams.to_device)?;
            streams.compute.wait_for_stream(&streams.to_device)?;
            Ok(event)
        };
        match mark() {
            Ok(event) => {
                uploads.push_back(Upload { event, buffer, dtype: host.dtype(), shape: host.shape().clone() });
                Ok(())
            }
            Err(error) => {
                // The copy goes on without a mark: the buffer is needed until it is done.
                let _ = streams.to_device.wait();
                Err(error)
            }
        }
    }

    /// Without pinned memory, or without copies in streams.
    fn upload_now(&self, bytes: &[u8], to: Part) -> Result<()> {
        self.streams.compute.wait()?;
        self.streams.executor.copy_to_device_now(bytes, to)
    }

    /// Gives the buffers of copies that are done back, and keeps note of those that failed.
    pub(super) fn finish_uploads(&self) {
        let mut uploads = self.uploads.lock();
        while let Some(progress) = uploads.front().map(|upload| upload.event.progress()) {
            if progress == Progress::Pending {
                return;
            }
            let Some(Upload { event, buffer, dtype, shape }) = uploads.pop_front() else { return };
            self.staging.give(buffer);
            if progress == Progress::Complete {
                self.events.give(event);
            } else {
                self.faults.add(self.copy_failed(dtype, &shape, "to the device"));
            }
        }
    }

    pub(super) fn copy_failed(&self, dtype: DType, shape: &Shape, direction: &str) -> Error {
        let message = format!("copying a {dtype} tensor of shape {shape} {direction} failed");
        self.streams.executor.error(Code::Internal, message)
    }
}
