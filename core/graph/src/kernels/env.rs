//! What the kernels of one run get: the device's memory and threads, and the step.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oplink_api::device::DeviceContext;
use oplink_api::tensor::Allocator;
use oplink_api::{KernelEnv, Step};

/// A device's environment within a step.
#[derive(Clone, Copy)]
pub(crate) struct StepEnv<'a> {
    device: &'a dyn KernelEnv,
    context: Option<&'a Arc<dyn DeviceContext>>,
    allocator: Option<&'a Arc<dyn Allocator>>,
    step: &'a Step,
    spreads: &'a AtomicBool,
}

impl<'a> StepEnv<'a> {
    /// `spreads` is set when a kernel has work for more than one thread.
    pub(crate) fn new(device: &'a dyn KernelEnv, step: &'a Step, spreads: &'a AtomicBool) -> Self {
        Self { device, context: device.device(), allocator: device.allocator(), step, spreads }
    }
}

impl KernelEnv for StepEnv<'_> {
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        self.device.detach()
    }

    #[inline]
    fn step(&self) -> Option<&Step> {
        Some(self.step)
    }

    #[inline]
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        self.context
    }

    #[inline]
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.allocator
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        if count / grain.max(1) > 1 && !self.spreads.load(Ordering::Relaxed) {
            self.spreads.store(true, Ordering::Relaxed);
        }
        self.device.parallel_for(count, grain, body);
    }

    fn waits_for_own_loops_only(&self) -> bool {
        self.device.waits_for_own_loops_only()
    }

    #[inline]
    fn intra_op_threads(&self) -> usize {
        self.device.intra_op_threads()
    }
}
