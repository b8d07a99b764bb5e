//! The queue of a device's compute work, and the copies to and from it.
//!
//! Compute work has a stream, copies in each direction have one of their own. Copies to the device wait for the compute
//! work before (the memory may be in use by it), and compute work after waits for them; copies to the host wait for the
//! compute work before. Nothing waits for the whole device. What a copy uses is kept until its event has passed. A
//! failure of work that was enqueued earlier is kept until the next copy to the host or the next `synchronize`, which
//! tells it.

mod download;
mod faults;
mod fill;
mod upload;
mod wake;

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::device::DeviceContext;
use oplink_api::{Code, DType, Result, Shape, Tensor};
use oplink_core::memory::MemoryStatistics;
use oplink_core::{DetachedDrop, DeviceOptions, HelperThread};

use crate::executor::{Executor, Facts, Part, Stream, Timer};
use crate::memory::Memory;
use crate::platform::Platform;
use crate::pool::{Events, Staging};
use crate::stream_group::StreamGroup;
use download::Downloads;
use faults::Faults;
pub use fill::Fill;
use upload::Uploads;

/// Who receives a copy to the host.
type Done = Box<dyn FnOnce(Result<Tensor>) + Send>;

/// What the context and its thread share. The order of the fields is that in which a device is taken down: what is in
/// flight, what the copies use, the memory, the streams, the device.
struct Shared {
    uploads: Uploads,
    downloads: Downloads,
    faults: Faults,
    /// Held while a copy to the host is enqueued, so that the queue has the stream's order.
    order: Mutex<()>,
    events: Events,
    staging: Staging,
    memory: Memory,
    streams: Arc<StreamGroup>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Buffers and events of work in flight are given back next, unless the work never ends.
        if !self.streams.wait_until_idle() {
            self.uploads.leak();
        }
    }
}

/// The [`DeviceContext`] of a plugin's device.
pub struct StreamExecutorContext(DetachedDrop<Parts>);

struct Parts {
    /// Ends before what it shares with the context.
    thread: HelperThread,
    shared: Arc<Shared>,
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.shared.downloads.stop();
    }
}

impl StreamExecutorContext {
    pub(crate) fn new(executor: Arc<Executor>, options: &DeviceOptions) -> Result<Self> {
        let (events, staging) = (Events::new(executor.clone()), Staging::new(executor.clone()));
        let streams = StreamGroup::new(executor)?;
        let memory = Memory::new(streams.clone(), options)?;
        let shared = Arc::new(Shared {
            uploads: Uploads::default(),
            downloads: Downloads::new(),
            faults: Faults::default(),
            order: Mutex::default(),
            events,
            staging,
            memory,
            streams,
        });
        let of_thread = shared.clone();
        let thread = HelperThread::spawn("copies to host", move || of_thread.hand_out());
        let thread = thread.map_err(|error| {
            shared.streams.executor.error(Code::ResourceExhausted, format!("no thread for copies to the host: {error}"))
        })?;
        let name = shared.streams.executor.name().to_owned();
        let context = Self(DetachedDrop::new(name, Parts { thread, shared }));
        context.free_memory_on_demand();
        Ok(context)
    }

    /// The platform that the device is of.
    pub fn platform(&self) -> &Arc<Platform> {
        self.0.shared.streams.executor.platform()
    }

    /// What the plugin tells of the device.
    pub fn facts(&self) -> Facts {
        self.0.shared.streams.executor.facts()
    }

    /// Bytes that tensors may take.
    pub(crate) fn memory_limit(&self) -> usize {
        self.0.shared.memory.limit()
    }

    pub(crate) fn memory_statistics(&self) -> MemoryStatistics {
        self.0.shared.memory.statistics()
    }

    pub(crate) fn release_unused_memory(&self) {
        self.0.shared.memory.release_unused();
    }

    /// Copies to the host hold the tensors that they read: where memory runs out, they are waited for.
    fn free_memory_on_demand(&self) {
        let (shared, thread) = (Arc::downgrade(&self.0.shared), self.0.thread.id());
        self.0.shared.memory.on_exhaustion(move || {
            let waits_for_itself = thread == std::thread::current().id();
            if let Some(shared) = shared.upgrade().filter(|_| !waits_for_itself) {
                shared.downloads.wait();
            }
        });
    }

    /// How long the device takes for what `work` enqueues on the compute stream. Waits for it.
    ///
    /// # Errors
    /// The plugin has no timers (`Unimplemented`), or the work's own.
    pub fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
        let Shared { streams, .. } = &*self.0.shared;
        let timer = Timer::new(&streams.executor)?;
        timer.start(&streams.compute)?;
        let worked = work();
        timer.stop(&streams.compute)?;
        streams.compute.wait()?;
        worked?;
        timer.elapsed()
    }

    /// Where a tensor's elements lie, for the plugin.
    fn part(&self, tensor: &Tensor) -> Result<Part> {
        let executor = &self.0.shared.streams.executor;
        let Some(memory) = tensor.device_memory().filter(|memory| memory.block.device() == executor.name()) else {
            let place = tensor.device_memory().map_or("the host's memory", |memory| memory.block.device());
            let message = format!("a {} tensor of shape {} lies in {place}", tensor.dtype(), tensor.shape());
            return Err(executor.error(Code::InvalidArgument, message));
        };
        let whole = self.0.shared.memory.allocation(memory.block.handle()).unwrap_or(SP_DeviceMemoryBase::EMPTY);
        Ok(Part(SP_DeviceMemoryBase {
            opaque: memory.block.handle().wrapping_byte_add(memory.offset),
            size: memory.bytes as u64,
            ..whole
        }))
    }
}

impl Shared {
    /// Keeps note of failures that the streams tell of and that are new.
    fn check_streams(&self) {
        self.streams.each().into_iter().filter_map(Stream::new_failure).for_each(|e| self.faults.add(e));
    }
}

impl DeviceContext for StreamExecutorContext {
    fn device(&self) -> &str {
        self.0.shared.streams.executor.name()
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.0.shared.memory.allocate("", dtype, shape)
    }

    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.0.shared.memory.allocate(owner, dtype, shape)
    }

    fn stream(&self) -> *mut c_void {
        self.0.shared.streams.compute.as_ptr().cast()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        host.as_bytes()?;
        let tensor = self.allocate(host.dtype(), host.shape().clone())?;
        if host.num_bytes() > 0 {
            self.0.shared.upload(host, self.part(&tensor)?)?;
        }
        Ok(tensor)
    }

    fn copy_to_host(&self, device: &Tensor, done: Done) {
        match self.part(device) {
            Ok(_) if device.num_bytes() == 0 => done(Tensor::zeros(device.dtype(), device.shape().clone())),
            Ok(part) => self.0.shared.download(device, part, done),
            Err(error) => done(Err(error)),
        }
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        let from = self.part(source)?;
        let tensor = self.allocate(source.dtype(), source.shape().clone())?;
        if source.num_bytes() == 0 {
            return Ok(tensor);
        }
        let (to, streams) = (self.part(&tensor)?, &self.0.shared.streams);
        match streams.executor.enqueue_in_device(&streams.compute, from, to) {
            Err(error) if error.code() == Code::Unimplemented => {
                streams.compute.wait()?;
                streams.executor.copy_in_device_now(from, to)?;
            }
            enqueued => enqueued?,
        }
        Ok(tensor)
    }

    fn synchronize(&self) -> Result<()> {
        let shared = &self.0.shared;
        let waited: Vec<Result<()>> = shared.streams.each().map(Stream::wait).into();
        // What a stream that hangs would bring is not waited for any longer than the plugin waits for the stream.
        let hangs = |waited: &Result<()>| waited.as_ref().is_err_and(|error| error.code() == Code::DeadlineExceeded);
        // What the thread runs in waits for nobody.
        if !self.0.thread.is_current() && !waited.iter().any(hangs) {
            shared.downloads.wait();
        }
        shared.check_streams();
        shared.finish_uploads();
        let earlier = shared.faults.take();
        waited.into_iter().collect::<Result<()>>()?;
        earlier.map_or(Ok(()), Err)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
