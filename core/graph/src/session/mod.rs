//! Sessions: a graph on one device or several, run by names or through prepared calls.

mod active_steps;
mod cache;
mod callable;
mod chrome_trace;
mod grow;
mod metadata;
mod options;
mod run_options;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use oplink_api::resource::ResourceManager;
use oplink_api::{Cancellation, ErrorKind, KernelOptions, Result, Tensor};
use oplink_core::{Device, DeviceOptions, device_of_type, devices_with};

pub use callable::Callable;
pub use grow::FeedShapes;
pub use metadata::{NodeStats, OutputStats, RunMetadata};
pub use options::SessionOptions;
pub use run_options::{RunOptions, TraceLevel};

use crate::executor::{Executor, plan_recorded_work};
use crate::function_runtime::FunctionRuntime;
use crate::kernels::{Devices, KernelCache, RecordWork, Results};
use crate::passes::{InliningBudget, Rewritten, optimize};
use crate::placement::on_several_devices;
use crate::signature::Signature;
use crate::{Graph, PassOptions};
use active_steps::ActiveSteps;
use cache::PlanCache;

/// ActiveSteps parts of a graph. Calls may come from several threads at once.
pub struct Session {
    graph: RwLock<Arc<Graph>>,
    functions: Arc<FunctionRuntime>,
    devices: Arc<Devices>,
    options: SessionOptions,
    plans: Mutex<PlanCache>,
    runs: Arc<ActiveSteps>,
    kernels: KernelCache,
}

impl Session {
    /// A session on the first linked device of the type that the options name.
    ///
    /// # Errors
    /// No such device is linked, or the thread pool cannot be started.
    pub fn new(graph: impl Into<Arc<Graph>>, options: SessionOptions) -> Result<Self> {
        let device = device_of_type(&options.device_type)?;
        Self::on_device(graph, device, options)
    }

    /// A session on this device, whatever type the options name.
    ///
    /// # Errors
    /// The thread pool cannot be started.
    pub fn on_device(
        graph: impl Into<Arc<Graph>>,
        device: Arc<dyn Device>,
        mut options: SessionOptions,
    ) -> Result<Self> {
        options.passes = options.passes.for_devices(std::slice::from_ref(&device));
        let devices = Devices::one(device, options.intra_op_threads, options.allow_soft_placement)?;
        Ok(Self::with(graph.into(), devices, options))
    }

    /// A session on several devices, whatever type the options name. The order of the devices is their priority.
    ///
    /// A node runs on the device that it asks for: by a full name (`/job:localhost/replica:0/task:0/device:GPU:0`), a
    /// short one (`GPU:0`, `/gpu:0`) or a partial one. One that asks for none runs on the first device that has a
    /// kernel for it. Nodes that name each other in the attr `_class` (`loc:@other`) run on one device, and so do those
    /// that take a resource or a reference with the one that makes it. With soft placement, a node whose device does
    /// not exist or has no kernel for it runs elsewhere.
    ///
    /// Values are copied where they are read in another memory than they are in, once for each memory. Values fed may
    /// be on the host or on any of the devices, values fetched are on the host.
    ///
    /// # Errors
    /// None of the devices works in host memory, or two have one name; the thread pool cannot be started.
    pub fn on_devices(
        graph: impl Into<Arc<Graph>>,
        devices: Vec<Arc<dyn Device>>,
        mut options: SessionOptions,
    ) -> Result<Self> {
        options.passes = options.passes.for_devices(&devices);
        let SessionOptions { intra_op_threads, allow_soft_placement, record_device_work, .. } = options;
        let record = record_device_work.then_some(plan_recorded_work as RecordWork);
        let devices = on_several_devices(devices, intra_op_threads, allow_soft_placement, record)?;
        Ok(Self::with(graph.into(), devices, options))
    }

    /// As [`Session::on_devices`], on the devices of all linked crates and plugins as `devices` wants them: so many of
    /// each type (`count`), the visible ones, with bounded memory.
    ///
    /// # Errors
    /// As [`Session::on_devices`]; a device cannot be made.
    pub fn with_devices(
        graph: impl Into<Arc<Graph>>,
        devices: &DeviceOptions,
        options: SessionOptions,
    ) -> Result<Self> {
        Self::on_devices(graph, devices_with(devices)?, options)
    }

    fn with(graph: Arc<Graph>, devices: Devices, options: SessionOptions) -> Self {
        let devices = Arc::new(devices);
        let functions = Arc::new(FunctionRuntime::new(&graph, devices.clone(), options.passes.clone()));
        let runs = Arc::new(ActiveSteps::new(functions.clone(), options.max_call_depth));
        let plans = Mutex::new(PlanCache::new(options.max_plans));
        let kernels = KernelCache::new(KernelOptions { winograd: options.winograd });
        Self { graph: RwLock::new(graph), functions, devices, options, plans, runs, kernels }
    }

    /// The graph.
    pub fn graph(&self) -> Arc<Graph> {
        self.graph.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The device in whose memory fed and fetched values are.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.devices.host
    }

    /// All devices, those of the highest priority first.
    pub fn devices(&self) -> &[Arc<dyn Device>] {
        self.devices.all()
    }

    /// The variables, tables and queues that live as long as the session.
    pub fn resources(&self) -> &Arc<ResourceManager> {
        self.runs.resources()
    }

    /// The options.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Feeds values, runs what the fetches and targets need, and returns the fetched values in order.
    ///
    /// Feeds and fetches are written `node` or `node:index`, targets `node`. Any output may be fed; what only it needs
    /// does not run. A fetched value that is fed comes back as it is. The plan is kept for the next call with the same
    /// names.
    ///
    /// # Errors
    /// A node with a malformed name; a name that the graph does not have; a needed placeholder that is not fed; a value
    /// of the wrong dtype or shape; a node without a kernel; an error or a panic of a kernel. The message names the
    /// node; of a kernel's error also the device, and dtype and shape of every input. The session stays usable.
    pub fn run(&self, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
        let run = self.runs.begin(Cancellation::default())?;
        let names = feeds.iter().map(|(name, _)| *name);
        let plan = self.plan(names, fetches, targets, run.step.cancellation())?;
        let mut fetched = Vec::with_capacity(fetches.len());
        plan.run(&run.step, feeds.iter().map(|(_, value)| value.clone()), &mut fetched)?;
        Ok(fetched)
    }

    /// As [`Session::run`], within a time, until it is cancelled, or traced, as the options say. The time counts from
    /// here: the first run of a request, which works it out, has no more of it.
    ///
    /// # Errors
    /// As [`Session::run`]; `DeadlineExceeded` where the time is over, and the reason of a cancellation.
    pub fn run_with(
        &self,
        options: &RunOptions,
        feeds: &[(&str, Tensor)],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<(Vec<Tensor>, RunMetadata)> {
        let mut fetched = Vec::with_capacity(fetches.len());
        let metadata = self.runs.run_with(options, |step| {
            let names = feeds.iter().map(|(name, _)| *name);
            let plan = self.plan(names, fetches, targets, step.cancellation())?;
            plan.run(step, feeds.iter().map(|(_, value)| value.clone()), &mut fetched)
        })?;
        Ok((fetched, metadata))
    }

    /// Cancels the runs that are under way and refuses further ones. Prepared calls of the session are refused too.
    pub fn close(&self) {
        self.runs.close();
    }

    /// The same as a call that is worked out now and run later, without any names.
    ///
    /// # Errors
    /// As [`Session::run`], apart from values and kernels' errors.
    pub fn prepare(&self, feeds: &[&str], fetches: &[&str], targets: &[&str]) -> Result<Callable> {
        let plan = self.plan(feeds.iter().copied(), fetches, targets, &Cancellation::default())?;
        Ok(Callable::new(plan, self.runs.clone()))
    }

    fn plan<'n>(
        &self,
        feeds: impl Iterator<Item = &'n str> + Clone,
        fetches: &[&'n str],
        targets: &[&'n str],
        cancellation: &Cancellation,
    ) -> Result<Arc<Executor>> {
        if let Some(plan) = self.plans().find(feeds.clone(), fetches, targets) {
            return Ok(plan);
        }
        let feeds: Vec<&str> = feeds.collect();
        let graph = self.graph();
        let signature = Signature::resolve(&graph, &feeds, fetches, targets)?;
        let plan = self.make_plan(&graph, &signature, &self.options.passes, cancellation)?;
        Ok(self.plans().insert(&feeds, fetches, targets, Arc::new(plan)))
    }

    /// Works out how to run what `signature` asks for, unless `cancellation` stops it.
    fn make_plan(
        &self,
        graph: &Graph,
        signature: &Signature,
        passes: &PassOptions,
        cancellation: &Cancellation,
    ) -> Result<Executor> {
        graph.check_names()?;
        let budget = InliningBudget::new(passes.max_inlined_nodes());
        let planned = optimize(graph, signature, passes, &budget, cancellation).and_then(|rewritten| {
            let Rewritten { graph, signature, .. } = &rewritten;
            Executor::build(graph, signature, &self.devices, Results::ToHost, &self.kernels, cancellation)
        });
        planned.map_err(|error| match error.kind() {
            ErrorKind::Cancelled => error.context("while the run was worked out, before its first node ran"),
            _ => error,
        })
    }

    fn plans(&self) -> std::sync::MutexGuard<'_, PlanCache> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let devices: Vec<&str> = self.devices().iter().map(|device| device.name()).collect();
        write!(f, "Session({} nodes on {})", self.graph().nodes().len(), devices.join(", "))
    }
}
