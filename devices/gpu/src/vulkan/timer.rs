//! How long the device takes for a piece of work, by its own clock.

use std::sync::mpsc::sync_channel;
use std::time::Duration;

use oplink_api::{Code, Result};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, Features, MapMode, QuerySet, QuerySetDescriptor, QueryType};

use super::Shared;

/// Bytes of two stamps.
const BYTES: u64 = 16;

/// Two stamps in the queue, and where they go.
struct Stamps {
    set: QuerySet,
    resolved: Buffer,
    mapped: Buffer,
}

impl Shared {
    /// How long the device takes for what `work` enqueues. Waits for it.
    ///
    /// # Errors
    /// The device has no clock (`Unimplemented`), or the work's own.
    pub(super) fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
        if !self.gpu.features.contains(Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS) {
            let message = format!("{} tells no times by Vulkan", self.gpu.info.name);
            return Err(self.gpu.error(Code::Unimplemented, &message));
        }
        let stamps = self.stamps()?;
        self.queue.encoder(&mut self.queue.lock()).write_timestamp(&stamps.set, 0);
        work()?;
        let mut batch = self.queue.lock();
        let encoder = self.queue.encoder(&mut batch);
        encoder.write_timestamp(&stamps.set, 1);
        encoder.resolve_query_set(&stamps.set, 0..2, &stamps.resolved, 0);
        encoder.copy_buffer_to_buffer(&stamps.resolved, 0, &stamps.mapped, 0, BYTES);
        let submission = self.queue.submit_all(&mut batch)?;
        drop(batch);
        let (sender, receiver) = sync_channel(1);
        let told = move |mapped| drop(sender.send(mapped));
        self.gpu.checked(|| stamps.mapped.map_async(MapMode::Read, .., told))?;
        self.gpu.wait(Some(submission))?;
        match receiver.recv() {
            Ok(Ok(())) => self.between(&stamps),
            _ => Err(self.gpu.error(Code::Internal, "its clock cannot be read")),
        }
    }

    fn stamps(&self) -> Result<Stamps> {
        let device = &self.gpu.device;
        let buffer = |usage| {
            device.create_buffer(&BufferDescriptor {
                label: Some("times"),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        self.gpu.checked(|| Stamps {
            set: device.create_query_set(&QuerySetDescriptor {
                label: Some("times"),
                ty: QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            mapped: buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        })
    }

    /// The time between the stamps, which have arrived.
    fn between(&self, stamps: &Stamps) -> Result<Duration> {
        let view = stamps.mapped.get_mapped_range(..);
        let view = view.map_err(|error| self.gpu.error(Code::Internal, &format!("its clock: {error}")))?;
        let stamp =
            |at: usize| view[at * 8..at * 8 + 8].iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let ticks = stamp(1).saturating_sub(stamp(0));
        let nanoseconds = ticks as f64 * f64::from(self.gpu.queue.get_timestamp_period());
        Ok(Duration::from_nanos(nanoseconds as u64))
    }
}
