//! What the runtime lends to a run of a kernel.

use std::sync::Arc;

use crate::device::DeviceContext;
use crate::tensor::Allocator;
use crate::{Input, NodeInfo, PartialShape, Result, Shape, Step, Tensor};

/// What a kernel runs in: memory, threads, and the step it is part of.
pub trait KernelEnv: Send + Sync {
    /// The step; `None` where a kernel computes a value ahead of any step.
    fn step(&self) -> Option<&Step> {
        None
    }

    /// The queue and the memory of the device; `None` where kernels work in host memory.
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        None
    }

    /// The allocator of host memory: of outputs and temporaries where there is no [`device`](Self::device).
    fn allocator(&self) -> Option<&Arc<dyn Allocator>>;

    /// Memory for the output of `node` at a flat position, in the device's memory where there is a device and the dtype
    /// is plain; plain elements hold arbitrary values.
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        let dtype = node.output_dtypes[index];
        match self.device() {
            Some(device) if dtype.size().is_some() => device.allocate_for(&node.name, dtype, shape),
            _ => Tensor::allocate(dtype, shape, self.allocator()),
        }
    }

    /// Receives the shapes of all outputs, where the kernel takes them from its environment and they follow from the
    /// shapes of the inputs alone: so those of later runs can be made ahead; see
    /// [`KernelContext::with_ready_outputs`](super::KernelContext::with_ready_outputs).
    fn shapes_inferred(&self, outputs: &[PartialShape]) {
        let _ = outputs;
    }

    /// Whether [`forward_or_allocate`](Self::forward_or_allocate) may find an input whose memory an output can take,
    /// where no tensor's count of references tells so.
    fn forwards(&self) -> bool {
        false
    }

    /// Memory for an output, where none of the inputs `candidates` could be forwarded as it is. An environment whose
    /// inputs belong to somebody else may get one of them; it returns its position among the candidates, whose slot is
    /// then not read again.
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    fn forward_or_allocate(
        &self,
        node: &NodeInfo,
        candidates: &mut [Input<'_>],
        index: usize,
        shape: Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        let _ = candidates;
        Ok((None, self.allocate_output(node, index, shape)?))
    }

    /// Runs `body` on ranges that cover `0..count`, at least `grain` long each, on the intra-op threads; returns when
    /// all are done.
    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        let _ = grain;
        body(0..count);
    }

    /// Whether `parallel_for` waits for nothing but parts of its own loop that threads have begun. Then a kernel may
    /// call it while it holds a lock that other kernels want, as long as no part of the loop waits for anything.
    fn waits_for_own_loops_only(&self) -> bool {
        self.intra_op_threads() == 1
    }

    /// Threads that `parallel_for` may use, at least 1.
    fn intra_op_threads(&self) -> usize {
        1
    }

    /// Memory and threads as they are here, without the step, for work that outlives the run; `None` where they are
    /// lent for the run alone.
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        None
    }
}

/// One thread and the system's memory.
#[derive(Debug, Default, Clone, Copy)]
pub struct DefaultEnv;

impl KernelEnv for DefaultEnv {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
}
