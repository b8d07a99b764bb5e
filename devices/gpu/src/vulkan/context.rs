//! The queue of a GPU's work, as the runtime sees it.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use oplink_api::device::{DeviceContext, DeviceProgram, ProgramArg};
use oplink_api::{Code, DType, Result, Shape, Tensor};

use oplink_core::HelperThread;
use oplink_core::memory::DeviceAllocator;

use super::Shared;
use crate::downloads::Done;

/// The [`DeviceContext`] of a GPU by Vulkan.
pub struct VulkanContext {
    /// Ends before what it shares with the context.
    thread: HelperThread,
    shared: Arc<Shared>,
}

/// What lives on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VulkanCounts {
    /// Regions of memory that are held.
    pub regions: usize,
    /// Programs that are compiled.
    pub programs: usize,
}

impl VulkanContext {
    pub(super) fn new(shared: Shared) -> Result<Self> {
        let shared = Arc::new(shared);
        let of_thread = shared.clone();
        let thread = HelperThread::spawn("copies to host", move || of_thread.hand_out());
        let thread = thread.map_err(|error| {
            shared.gpu.error(Code::ResourceExhausted, &format!("no thread for copies to the host: {error}"))
        })?;
        let context = Self { thread, shared };
        context.free_memory_on_demand();
        Ok(context)
    }

    /// The device's memory.
    pub fn memory(&self) -> &DeviceAllocator {
        &self.shared.memory
    }

    /// How much there is.
    pub fn counts(&self) -> VulkanCounts {
        VulkanCounts { regions: self.shared.buffers.count(), programs: self.shared.programs.count() }
    }

    /// How long the device takes for what `work` enqueues, by its own clock. Waits for it.
    ///
    /// # Errors
    /// The device has no clock (`Unimplemented`), or the work's own.
    pub fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
        self.shared.time(work)
    }

    /// Copies to the host hold the tensors that they read: where memory runs out, they are waited for.
    fn free_memory_on_demand(&self) {
        let (shared, thread) = (Arc::downgrade(&self.shared), self.thread.id());
        self.shared.memory.on_exhaustion(move || {
            let waits_for_itself = thread == std::thread::current().id();
            if let Some(shared) = shared.upgrade().filter(|_| !waits_for_itself) {
                shared.downloads.wait();
            }
        });
    }
}

impl DeviceContext for VulkanContext {
    fn device(&self) -> &str {
        &self.shared.gpu.name
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.shared.memory.tensor(dtype, shape, "")
    }

    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.shared.memory.tensor(dtype, shape, owner)
    }

    fn stream(&self) -> *mut c_void {
        ptr::null_mut()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        self.shared.copy_to_device(host)
    }

    fn copy_to_host(&self, device: &Tensor, done: Done) {
        self.shared.copy_to_host(device, done);
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        self.shared.copy_in_device(source)
    }

    fn synchronize(&self) -> Result<()> {
        let shared = &self.shared;
        let mut batch = shared.queue.lock();
        let submission = shared.queue.submit_all(&mut batch);
        drop(batch);
        let waited = submission.and_then(|submission| shared.gpu.wait(Some(submission)));
        // What the thread runs in waits for nobody.
        if !self.thread.is_current() {
            shared.downloads.wait();
        }
        let earlier = shared.gpu.take_fault();
        waited?;
        earlier.map_or(Ok(()), Err)
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        self.shared.launch(program, grid, args)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for VulkanContext {
    fn drop(&mut self) {
        self.shared.downloads.stop();
    }
}
