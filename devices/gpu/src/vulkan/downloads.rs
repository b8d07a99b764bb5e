//! Copies to the host: into buffers that the host can map; a thread hands the results out in order.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use oplink_api::{Code, Result, Tensor};
use wgpu::{Buffer, BufferAsyncError, BufferDescriptor, BufferUsages, MapMode, SubmissionIndex};

use super::Shared;
use crate::downloads::Done;

/// How long the thread waits for a buffer after the work before was done.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Bytes of the smallest buffer.
const LEAST: u64 = 4 << 10;
/// Buffers that are kept for later copies.
const SPARE: usize = 8;
/// Bytes of the largest buffer that is kept.
const LARGEST_SPARE: u64 = 64 << 20;

/// A copy that was enqueued.
pub(super) struct Download {
    /// Kept until the copy is done.
    source: Tensor,
    buffer: Buffer,
    /// Where the elements start in the buffer.
    start: u64,
    submission: SubmissionIndex,
    mapped: Receiver<std::result::Result<(), BufferAsyncError>>,
}

impl Shared {
    fn spare_buffers(&self) -> MutexGuard<'_, Vec<Buffer>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies a tensor of the device to the host.
    pub(super) fn copy_to_host(&self, source: &Tensor, done: Done) {
        if let Err(error) = self.buffers.part(source) {
            return done(Err(error));
        }
        if source.num_bytes() == 0 {
            return done(Tensor::zeros(source.dtype(), source.shape().clone()));
        }
        self.downloads.push(|| self.enqueue_download(source), done);
    }

    fn enqueue_download(&self, source: &Tensor) -> Result<Download> {
        let part = self.buffers.part(source)?;
        let start = part.offset % 4;
        let bytes = (part.bytes + start).next_multiple_of(4);
        let buffer = self.host_buffer(bytes)?;
        let mut batch = self.queue.lock();
        self.gpu.check_alive()?;
        self.queue.encoder(&mut batch).copy_buffer_to_buffer(&part.buffer, part.offset - start, &buffer, 0, bytes);
        let submission = self.queue.submit_all(&mut batch)?;
        drop(batch);
        let (sender, mapped) = sync_channel(1);
        let map = || buffer.map_async(MapMode::Read, 0..bytes, move |mapped| drop(sender.send(mapped)));
        self.gpu.checked(map)?;
        Ok(Download { source: source.clone(), buffer, start, submission, mapped })
    }

    /// A buffer that the host can map.
    fn host_buffer(&self, bytes: u64) -> Result<Buffer> {
        let mut spare = self.spare_buffers();
        let fits = |buffer: &Buffer| buffer.size() >= bytes && buffer.size() <= bytes.max(LEAST) * 4;
        if let Some(at) = spare.iter().position(fits) {
            return Ok(spare.swap_remove(at));
        }
        drop(spare);
        let size = bytes.max(LEAST).next_power_of_two().min(self.gpu.limits.max_buffer_size.max(bytes));
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let descriptor = BufferDescriptor { label: Some("to the host"), size, usage, mapped_at_creation: false };
        self.gpu.checked(|| self.gpu.device.create_buffer(&descriptor))
    }

    /// The thread: hands out what has arrived, in order, until it is stopped.
    pub(super) fn hand_out(&self) {
        self.downloads.hand_out(|download| {
            let result = self.arrived(&download);
            self.release(download, result.is_ok());
            result
        });
    }

    /// What the copy brought, or the failure of it or of work before it.
    fn arrived(&self, download: &Download) -> Result<Tensor> {
        let mapped = self.wait_for_map(download);
        if let Some(error) = self.gpu.take_fault() {
            return Err(error);
        }
        mapped?;
        let Download { source, buffer, start, .. } = download;
        let bytes = *start..*start + source.num_bytes() as u64;
        let whole = 0..bytes.end.next_multiple_of(4);
        let view = buffer.get_mapped_range(whole);
        let view = view.map_err(|error| self.gpu.error(Code::Internal, &format!("a copy to the host: {error}")))?;
        Tensor::from_bytes(source.dtype(), source.shape().clone(), &view[bytes.start as usize..bytes.end as usize])
    }

    fn wait_for_map(&self, download: &Download) -> Result<()> {
        loop {
            self.gpu.wait(Some(download.submission.clone()))?;
            // Another thread that waits may be the one that tells.
            let gone = |why: &str| self.gpu.error(Code::Internal, &format!("a copy to the host was given up: {why}"));
            return match download.mapped.recv_timeout(LOOK_AGAIN) {
                Ok(mapped) => mapped.map_err(|error| gone(&error.to_string())),
                Err(RecvTimeoutError::Disconnected) => Err(gone("nobody tells of its end")),
                Err(RecvTimeoutError::Timeout) => continue,
            };
        }
    }

    /// Gives back what the copy used.
    fn release(&self, download: Download, is_mapped: bool) {
        let Download { source, buffer, .. } = download;
        drop(source);
        if is_mapped {
            buffer.unmap();
            let mut spare = self.spare_buffers();
            if spare.len() < SPARE && buffer.size() <= LARGEST_SPARE {
                spare.push(buffer);
            }
        }
    }
}
