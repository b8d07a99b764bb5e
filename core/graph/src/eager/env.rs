//! What the kernels of eager calls get: the device's memory and threads, and a step that lasts.

use std::ops::Range;
use std::sync::Arc;

use oplink_api::device::DeviceContext;
use oplink_api::function::FunctionLibrary;
use oplink_api::resource::ResourceManager;
use oplink_api::tensor::Allocator;
use oplink_api::{Cancellation, KernelEnv, Result, Step};
use oplink_core::{Device, intra_op_pool};

/// A device's environment within the one step that all calls of a context are part of.
#[derive(Clone)]
pub(super) struct EagerEnv {
    device: Arc<dyn Device>,
    allocator: Option<Arc<dyn Allocator>>,
    context: Option<Arc<dyn DeviceContext>>,
    /// Threads of its own number; the device's where there is none.
    threads: Option<Arc<dyn KernelEnv>>,
    step: Step,
}

impl EagerEnv {
    /// With resources of its own.
    pub(super) fn new(device: Arc<dyn Device>) -> Self {
        let step = Step::new(0, Arc::new(ResourceManager::new()), None, Cancellation::default());
        let (allocator, context) = (device.env().allocator().cloned(), device.context().cloned());
        Self { allocator, context, device, threads: None, step }
    }

    /// As [`EagerEnv::new`], with at most so many threads; 0 means all.
    pub(super) fn with_threads(device: Arc<dyn Device>, threads: usize) -> Result<Self> {
        let threads = device.env_with_threads(&intra_op_pool()?, threads);
        Ok(Self { threads: Some(threads), ..Self::new(device) })
    }

    /// The same step on another device.
    pub(super) fn on(&self, device: Arc<dyn Device>) -> Self {
        Self { step: self.step.clone(), ..Self::new(device) }
    }

    /// The same for a call that this ends early.
    pub(super) fn ended_by(&self, cancellation: &Cancellation) -> Self {
        Self { step: self.step.with_cancellation(cancellation.clone()), ..self.clone() }
    }

    /// The same, where ops call the functions of this library.
    pub(super) fn with_functions(mut self, functions: Arc<dyn FunctionLibrary>) -> Self {
        let resources = self.step.resources().clone();
        self.step = Step::new(0, resources, Some(functions), Cancellation::default());
        self
    }

    /// What lasts as long as a step.
    pub(super) fn step_resources(&self) -> &ResourceManager {
        self.step.own_resources()
    }

    /// Whether the device has memory of its own.
    #[inline]
    pub(super) fn has_memory(&self) -> bool {
        self.context.is_some()
    }

    fn work(&self) -> &dyn KernelEnv {
        self.threads.as_deref().unwrap_or_else(|| self.device.env())
    }

    pub(super) fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    pub(super) fn resources(&self) -> &Arc<ResourceManager> {
        self.step.resources()
    }
}

impl KernelEnv for EagerEnv {
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        self.work().detach()
    }

    #[inline]
    fn step(&self) -> Option<&Step> {
        Some(&self.step)
    }

    #[inline]
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        self.context.as_ref()
    }

    #[inline]
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.allocator.as_ref()
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.work().parallel_for(count, grain, body);
    }

    fn waits_for_own_loops_only(&self) -> bool {
        self.work().waits_for_own_loops_only()
    }

    fn intra_op_threads(&self) -> usize {
        self.work().intra_op_threads()
    }
}
