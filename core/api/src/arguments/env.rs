//! What a kernel runs in, beside its inputs and outputs.

use std::ops::Range;
use std::sync::Arc;

use crate::async_kernel::works_in_host_memory;
use crate::device::{DeviceContext, HostMemory};
use crate::interrupt::{self, Watched};
use crate::tensor::Allocator;
use crate::{DType, Error, KernelEnv, NodeInfo, PartialShape, Result, Shape, Step, Tensor};

/// What one run of a kernel has beside its inputs and outputs: the node, memory, threads and the step. A value that is
/// copied freely; `&env` is a `&dyn KernelEnv`.
#[derive(Clone, Copy)]
pub struct Env<'c> {
    node: &'c NodeInfo,
    env: &'c dyn KernelEnv,
    host_memory: Option<&'c HostMemory>,
}

impl<'c> Env<'c> {
    /// The environment of a run of `node`.
    #[inline]
    pub fn new(node: &'c NodeInfo, env: &'c dyn KernelEnv, host_memory: Option<&'c HostMemory>) -> Self {
        Self { node, env, host_memory }
    }

    /// The node.
    #[inline]
    pub fn node(&self) -> &'c NodeInfo {
        self.node
    }

    /// The runtime's part.
    #[inline]
    pub fn env(&self) -> &'c dyn KernelEnv {
        self.env
    }

    /// The step that this run is part of.
    ///
    /// # Errors
    /// The run is part of none.
    #[inline]
    pub fn step(&self) -> Result<&'c Step> {
        self.env.step().ok_or_else(|| {
            Error::internal("this kernel runs only as part of a step: not ahead of one, and not in a plugin")
        })
    }

    /// The queue and the memory of the device that the kernel runs on.
    ///
    /// # Errors
    /// The kernel runs in host memory.
    #[inline]
    pub fn device(&self) -> Result<&'c dyn DeviceContext> {
        self.env.device().map(|device| &**device).ok_or_else(|| works_in_host_memory(self.node))
    }

    /// A new tensor in the step's host memory, on any device; plain elements hold arbitrary values. Memory of the
    /// device is allocated by [`device`](Self::device).
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    #[inline]
    pub fn allocate(&self, dtype: DType, shape: impl Into<Shape>) -> Result<Tensor> {
        Tensor::allocate(dtype, shape.into(), self.env.allocator())
    }

    /// Runs `body` on ranges that cover `0..count`, at least `grain` long each, on the intra-op threads; returns when
    /// all are done.
    #[inline]
    pub fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.env.parallel_for(count, grain, body);
    }

    /// Ends the kernel where its step was cancelled or is over its deadline. Loops call it every few milliseconds; it
    /// costs some tens of nanoseconds. It unwinds: nothing that outlives the kernel may be half changed.
    #[inline]
    pub fn poll(&self) {
        interrupt::poll(self.env.step().map(Step::cancellation));
    }

    /// `items`, with a look at the step after every thousand of them: for loops whose length comes from input.
    ///
    /// ```
    /// # use oplink_api::{Env, prelude::*};
    /// fn iota(env: &Env<'_>, out: &mut [i64]) {
    ///     for (position, out) in env.watch(out).enumerate() {
    ///         *out = position as i64;
    ///     }
    /// }
    /// ```
    #[inline]
    pub fn watch<I: IntoIterator>(&self, items: I) -> Watched<'c, I::IntoIter> {
        interrupt::watch(self.env.step().map(Step::cancellation), items)
    }

    /// Threads that `parallel_for` may use, at least 1.
    #[inline]
    pub fn intra_op_threads(&self) -> usize {
        self.env.intra_op_threads()
    }

    /// A new tensor for the output at a flat position: in the device's memory, or in host memory where there is no
    /// device, where the kernel's `host_memory` names the output, and where its elements are objects of the host.
    #[inline]
    pub(crate) fn allocate_output(&self, index: usize, shape: Shape) -> Result<Tensor> {
        if self.is_kept_on_host(index) {
            return Tensor::allocate(self.node.output_dtypes[index], shape, self.env.allocator());
        }
        self.env.allocate_output(self.node, index, shape)
    }

    /// Whether `host_memory` keeps an output from the memory of the device.
    #[inline]
    pub(crate) fn is_kept_on_host(&self, output: usize) -> bool {
        self.host_memory.is_some_and(|host| host.has_output(output)) && self.env.device().is_some()
    }

    /// Whether an input's memory can become that of an output of this shape.
    #[inline]
    pub(crate) fn can_forward(&self, (input, tensor): (usize, &Tensor), output: usize, shape: &Shape) -> bool {
        tensor.dtype() == self.node.output_dtypes[output]
            && tensor.shape() == shape
            && tensor.is_unique()
            && self.is_in_one_memory(input, output)
    }

    /// Whether an input and an output belong both in host memory, or both in the device's. Inputs are on the host only
    /// where `host_memory` names them, or by their dtype.
    #[inline]
    fn is_in_one_memory(&self, input: usize, output: usize) -> bool {
        let named_apart = |host: &HostMemory| host.has_input(input) != host.has_output(output);
        !(self.host_memory.is_some_and(named_apart) && self.env.device().is_some())
    }
}

/// As the runtime's part, for functions that take any environment.
impl KernelEnv for Env<'_> {
    #[inline]
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        self.env.detach()
    }

    #[inline]
    fn step(&self) -> Option<&Step> {
        self.env.step()
    }

    #[inline]
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        self.env.device()
    }

    #[inline]
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.env.allocator()
    }

    #[inline]
    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        self.env.allocate_output(node, index, shape)
    }

    #[inline]
    fn shapes_inferred(&self, outputs: &[PartialShape]) {
        self.env.shapes_inferred(outputs);
    }

    #[inline]
    fn forwards(&self) -> bool {
        self.env.forwards()
    }

    #[inline]
    fn forward_or_allocate(
        &self,
        node: &NodeInfo,
        candidates: &mut [super::Input<'_>],
        index: usize,
        shape: Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        self.env.forward_or_allocate(node, candidates, index, shape)
    }

    #[inline]
    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.env.parallel_for(count, grain, body);
    }

    fn waits_for_own_loops_only(&self) -> bool {
        self.env.waits_for_own_loops_only()
    }

    #[inline]
    fn intra_op_threads(&self) -> usize {
        self.env.intra_op_threads()
    }
}
