//! Runs calls on the host, and guards against what a kernel must not do.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use oplink_api::resource::ResourceManager;
use oplink_api::tensor::Allocator;
use oplink_api::{Cancellation, Error, ErrorKind, KernelEnv, NodeInfo, Result, Shape, Step, Tensor, ensure};
use oplink_core::{
    HOST_DEVICE_TYPE, PreparedKernel, Registry, host_device, intra_op_pool, node_for_flat_call, panicked,
};

use crate::OpCall;

/// What a call may ask for as one output.
pub(crate) const MEMORY_LIMIT: usize = 1 << 28;
/// What a call may take, where the kernel asks the step.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// What a call may take that is drawn.
const DRAWN_LIMIT: Duration = Duration::from_millis(500);

/// How many threads a kernel may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threads {
    One,
    All,
}

/// Runs calls.
pub(crate) struct Runner {
    pub(crate) registry: Arc<Registry>,
    one: Arc<dyn KernelEnv>,
    all: Arc<dyn KernelEnv>,
}

impl Runner {
    pub(crate) fn new(registry: Arc<Registry>) -> Result<Self> {
        let (device, pool) = (host_device()?, intra_op_pool()?);
        Ok(Self { registry, one: device.env_with_threads(&pool, 1), all: device.env_with_threads(&pool, 0) })
    }

    /// The node of a call.
    pub(crate) fn node(&self, call: &OpCall) -> Result<NodeInfo> {
        let dtypes: Vec<_> = call.inputs.iter().map(Tensor::dtype).collect();
        let op = self.registry.op(&call.op)?;
        node_for_flat_call(op, call.op.as_str(), "/device:CPU:0", &dtypes, &call.given_attrs())
    }

    /// Runs a call whose inputs stay with the caller.
    pub(crate) fn run(&self, call: &OpCall, threads: Threads) -> Result<Vec<Tensor>> {
        self.run_with(call, call.inputs.clone(), threads, TIME_LIMIT)
    }

    /// Runs a call that the kernel may refuse, or wait in for what never comes.
    pub(crate) fn try_drawn(&self, call: &OpCall) -> Result<Vec<Tensor>> {
        self.run_with(call, call.inputs.clone(), Threads::All, DRAWN_LIMIT)
    }

    /// Runs a call that gives its inputs away, so that the kernel may use their memory.
    pub(crate) fn run_giving(&self, call: &OpCall) -> Result<Vec<Tensor>> {
        let inputs = call.inputs.iter().map(Tensor::deep_copy).collect::<Result<_>>()?;
        self.run_with(call, inputs, Threads::All, TIME_LIMIT)
    }

    fn run_with(
        &self,
        call: &OpCall,
        mut inputs: Vec<Tensor>,
        threads: Threads,
        limit: Duration,
    ) -> Result<Vec<Tensor>> {
        let kernel = PreparedKernel::new(&self.registry, Arc::new(self.node(call)?), HOST_DEVICE_TYPE)?;
        let host = if threads == Threads::One { &self.one } else { &self.all };
        let stop = Cancellation::with_deadline(Some(Instant::now() + limit));
        let env = LimitedEnv { host, step: Step::new(0, Arc::new(ResourceManager::new()), None, stop) };
        let mut outputs = vec![None; kernel.node().output_dtypes.len()];
        kernel.run(&mut inputs, &mut outputs, &env)?;
        Ok(outputs.into_iter().flatten().collect())
    }
}

/// What a function gives; its panic as an error.
pub(crate) fn guarded<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(panicked(&*payload, what)))
}

/// Whether an error is one that no input may cause.
pub(crate) fn is_fault(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::KernelPanicked | ErrorKind::Internal)
}

/// The host's environment in a step with an end, with bounded outputs.
struct LimitedEnv<'a> {
    host: &'a Arc<dyn KernelEnv>,
    step: Step,
}

impl KernelEnv for LimitedEnv<'_> {
    fn step(&self) -> Option<&Step> {
        Some(&self.step)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.host.allocator()
    }

    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        let (dtype, count) = (node.output_dtypes[index], shape.checked_num_elements());
        let bytes = count.and_then(|count| count.checked_mul(dtype.size().unwrap_or(1)));
        let is_small = bytes.is_some_and(|bytes| bytes <= MEMORY_LIMIT);
        ensure!(is_small, "output {index} of shape {shape} is larger than a check may ask for");
        self.host.allocate_output(node, index, shape)
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.host.parallel_for(count, grain, body);
    }

    fn intra_op_threads(&self) -> usize {
        self.host.intra_op_threads()
    }
}
