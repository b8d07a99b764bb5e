//! Runs kernels within a step, for tests of ops that share state.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use oplink::descriptors::KernelFunction;
use oplink::function::FunctionLibrary;
use oplink::prelude::*;
use oplink::resource::ResourceManager;
use oplink::tensor::Allocator;
use oplink::{AsyncKernelContext, Cancellation, KernelEnv, NodeInfo, Step};

use super::testing::{Threads, descriptor, kernel, node, run_in};

/// A step with resources, and threads. Clones are the same step.
#[derive(Clone, Debug)]
pub struct InStep {
    step: Step,
    threads: Threads,
}

impl InStep {
    /// A step of its own on so many threads.
    pub fn new(threads: usize) -> Self {
        let resources = Arc::new(ResourceManager::new());
        Self { step: Step::new(1, resources, None, Cancellation::default()), threads: Threads(threads) }
    }

    /// The same with these functions to call.
    #[must_use]
    pub fn with_functions(&self, functions: Arc<dyn FunctionLibrary>) -> Self {
        Self { step: self.step.with_functions(functions), threads: self.threads }
    }

    /// The next step with the same resources that outlive a step.
    #[must_use]
    pub fn next(&self) -> Self {
        let step = Step::new(self.step.id() + 1, self.step.resources().clone(), None, Cancellation::default());
        Self { step, threads: self.threads }
    }

    /// The step.
    pub fn step(&self) -> &Step {
        &self.step
    }

    /// Runs an op as [`run_in`] does.
    pub fn run(&self, op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        run_in(self, op, attrs, inputs)
    }

    /// As [`InStep::run`], for an op with one output.
    pub fn one(&self, op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Result<Tensor> {
        self.run(op, attrs, inputs)?.pop().ok_or_else(|| Error::internal(format!("{op} has no output")))
    }

    /// Starts an asynchronous kernel; the receiver gets its outputs.
    pub fn start(&self, op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Result<Running> {
        self.start_on("", op, attrs, inputs)
    }

    /// As [`InStep::start`], of a node on the device of this name.
    pub fn start_on(
        &self,
        device: &str,
        op: &str,
        attrs: &[(&str, AttrValue)],
        inputs: Vec<Tensor>,
    ) -> Result<Running> {
        let node = NodeInfo { device: device.to_owned(), ..node(descriptor(op)?, attrs, &inputs)? };
        let KernelFunction::Async(function) = kernel(&node)? else { bail!("the kernel of {op} is not asynchronous") };
        Ok(start(function, node, inputs, self))
    }
}

impl KernelEnv for InStep {
    fn detach(&self) -> Option<Arc<dyn KernelEnv>> {
        Some(Arc::new(self.threads))
    }

    fn step(&self) -> Option<&Step> {
        Some(&self.step)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.threads.parallel_for(count, grain, body);
    }

    fn waits_for_own_loops_only(&self) -> bool {
        self.threads.waits_for_own_loops_only()
    }

    fn intra_op_threads(&self) -> usize {
        self.threads.0
    }
}

/// Gets the outputs of an asynchronous kernel once it has finished.
pub type Running = Receiver<Result<Vec<Option<Tensor>>>>;

fn start(function: fn(AsyncKernelContext), node: NodeInfo, inputs: Vec<Tensor>, env: &dyn KernelEnv) -> Running {
    let (sender, receiver) = sync_channel(1);
    let done = Box::new(move |result| drop(sender.send(result)));
    function(AsyncKernelContext::new(Arc::new(node), inputs, env.step().cloned(), done));
    receiver
}

/// Runs an asynchronous kernel and waits for it.
pub(super) fn wait(
    function: fn(AsyncKernelContext),
    node: NodeInfo,
    inputs: Vec<Tensor>,
    env: &dyn KernelEnv,
) -> Result<Vec<Option<Tensor>>> {
    let finished = start(function, node, inputs, env).recv();
    finished.map_err(|_| Error::internal("the asynchronous kernel went away without finishing"))?
}
