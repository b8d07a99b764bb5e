//! The queue of the device's work. Launches and copies are written into a batch, which goes to the driver when somebody
//! waits for it or when it is full.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_api::Result;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, ComputePass,
    ComputePassDescriptor, SubmissionIndex,
};

use super::gpu::Gpu;

/// Launches of a batch.
const LAUNCHES: usize = 64;
/// Bytes of a batch's values: scalars of launches, and small tensors on their way to the device.
const VALUES: u64 = 1 << 18;
/// Where values may start.
const SLOT: usize = 256;

/// The queue.
pub(super) struct CommandQueue {
    pub(super) gpu: Arc<Gpu>,
    /// Values of the batch; written before the batch is run.
    pub(super) values: Buffer,
    batch: Mutex<Batch>,
}

/// Work that the driver does not have yet.
#[derive(Default)]
pub(super) struct Batch {
    // Before the encoder: a pass ends when it is dropped.
    pass: Option<ComputePass<'static>>,
    encoder: Option<CommandEncoder>,
    values: Vec<u8>,
    launches: usize,
}

impl CommandQueue {
    pub(super) fn new(gpu: Arc<Gpu>) -> Result<Self> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let descriptor = BufferDescriptor { label: Some("values"), size: VALUES, usage, mapped_at_creation: false };
        let values = gpu.checked(|| gpu.device.create_buffer(&descriptor))?;
        Ok(Self { gpu, values, batch: Mutex::default() })
    }

    /// The batch, for work that comes after all that was enqueued so far.
    pub(super) fn lock(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the batch to the driver. What goes wrong is the error of the next call that waits.
    pub(super) fn submit(&self, batch: &mut Batch) -> Option<SubmissionIndex> {
        batch.pass = None;
        let (encoder, values) = (batch.encoder.take()?, std::mem::take(&mut batch.values));
        batch.launches = 0;
        let submitted = self.gpu.checked(|| {
            if !values.is_empty() {
                self.gpu.queue.write_buffer(&self.values, 0, &values);
            }
            self.gpu.queue.submit([encoder.finish()])
        });
        batch.values = values;
        batch.values.clear();
        submitted.map_err(|error| self.gpu.add_fault(error.context("work that was enqueued"))).ok()
    }

    /// Gives all enqueued work to the driver, and the copies to the device before it.
    pub(super) fn submit_all(&self, batch: &mut Batch) -> Result<SubmissionIndex> {
        match self.submit(batch) {
            Some(submission) => Ok(submission),
            None => self.gpu.checked(|| self.gpu.queue.submit([])),
        }
    }

    /// Makes room for one more launch with `bytes` of scalars.
    pub(super) fn make_room(&self, batch: &mut Batch, bytes: usize) {
        if batch.launches >= LAUNCHES || !batch.has_room(bytes) {
            self.submit(batch);
        }
    }

    /// The encoder, for copies.
    pub(super) fn encoder<'a>(&self, batch: &'a mut Batch) -> &'a mut CommandEncoder {
        batch.pass = None;
        batch.encoder.get_or_insert_with(|| self.new_encoder())
    }

    /// The pass, for one more launch.
    pub(super) fn pass<'a>(&self, batch: &'a mut Batch) -> &'a mut ComputePass<'static> {
        batch.launches += 1;
        let Batch { pass, encoder, .. } = batch;
        let encoder = encoder.get_or_insert_with(|| self.new_encoder());
        pass.get_or_insert_with(|| encoder.begin_compute_pass(&ComputePassDescriptor::default()).forget_lifetime())
    }

    fn new_encoder(&self) -> CommandEncoder {
        self.gpu.device.create_command_encoder(&CommandEncoderDescriptor { label: Some("batch") })
    }
}

impl Batch {
    /// Whether `bytes` more of values fit.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        self.values.len().next_multiple_of(SLOT) + bytes.next_multiple_of(SLOT) <= VALUES as usize
    }

    /// Whether the driver lacks work.
    pub(super) fn is_open(&self) -> bool {
        self.encoder.is_some()
    }

    /// Adds values, for which there is room; returns where they will be.
    pub(super) fn put(&mut self, bytes: &[u8]) -> u64 {
        let at = self.values.len().next_multiple_of(SLOT);
        self.values.resize(at, 0);
        self.values.extend_from_slice(bytes);
        self.values.resize((at + bytes.len()).next_multiple_of(16), 0);
        at as u64
    }
}
