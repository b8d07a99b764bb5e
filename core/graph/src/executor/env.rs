//! What the kernels of one run get: the device's memory and threads, and the step.

use std::ops::Range;
use std::sync::Arc;

use oplink_api::{Allocator, KernelEnv, Step};

/// A device's environment within a step.
#[derive(Clone, Copy)]
pub(crate) struct StepEnv<'a> {
    device: &'a dyn KernelEnv,
    allocator: Option<&'a Arc<dyn Allocator>>,
    step: &'a Step,
}

impl<'a> StepEnv<'a> {
    pub(crate) fn new(device: &'a dyn KernelEnv, step: &'a Step) -> Self {
        Self { device, allocator: device.allocator(), step }
    }
}

impl KernelEnv for StepEnv<'_> {
    #[inline]
    fn step(&self) -> Option<&Step> {
        Some(self.step)
    }

    #[inline]
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.allocator
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.device.parallel_for(count, grain, body);
    }

    #[inline]
    fn intra_op_threads(&self) -> usize {
        self.device.intra_op_threads()
    }
}
