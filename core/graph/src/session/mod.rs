//! Sessions: a graph on a device, run by names or through prepared calls.

mod cache;
mod callable;
mod chrome_trace;
mod grow;
mod metadata;
mod options;
mod run_options;
mod runs;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use oplink_api::{Cancellation, KernelEnv, ResourceManager, Result, Tensor};
use oplink_core::{Device, IntraOpPool, device_of_type, intra_op_pool};

pub use callable::Callable;
pub use grow::FeedShapes;
pub use metadata::{NodeStats, OutputStats, RunMetadata};
pub use options::SessionOptions;
pub use run_options::{RunOptions, TraceLevel};

use crate::executor::{Executor, KernelCache};
use crate::functions::FunctionRuntime;
use crate::passes::optimize;
use crate::plan::{Placement, Signature};
use crate::{Graph, PassOptions};
use cache::PlanCache;
use runs::Runs;

/// Runs parts of a graph. Calls may come from several threads at once.
pub struct Session {
    graph: RwLock<Arc<Graph>>,
    functions: Arc<FunctionRuntime>,
    device: Arc<dyn Device>,
    env: Arc<dyn KernelEnv>,
    pool: Option<Arc<IntraOpPool>>,
    options: SessionOptions,
    plans: Mutex<PlanCache>,
    runs: Arc<Runs>,
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
    pub fn on_device(graph: impl Into<Arc<Graph>>, device: Arc<dyn Device>, options: SessionOptions) -> Result<Self> {
        let pool = intra_op_pool()?;
        let env = device.env_with_threads(&pool, options.intra_op_threads);
        let pool = (env.intra_op_threads() > 1).then_some(pool);
        let graph: Arc<Graph> = graph.into();
        let soft = options.allow_soft_placement;
        let functions =
            FunctionRuntime::new(&graph, device.clone(), soft, options.passes.clone(), env.clone(), pool.clone());
        let functions = Arc::new(functions);
        let runs = Arc::new(Runs::new(functions.clone()));
        let plans = Mutex::new(PlanCache::new(options.max_plans));
        Ok(Self {
            graph: RwLock::new(graph),
            functions,
            device,
            env,
            pool,
            options,
            plans,
            runs,
            kernels: KernelCache::default(),
        })
    }

    /// The graph.
    pub fn graph(&self) -> Arc<Graph> {
        self.graph.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The device.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
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
    /// A name that the graph does not have; a needed placeholder that is not fed; a value of the wrong dtype or shape; a
    /// node without a kernel; an error or a panic of a kernel. The message names the node; of a kernel's error also the
    /// device, and dtype and shape of every input. The session stays usable.
    pub fn run(&self, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
        let plan = self.plan(feeds.iter().map(|(name, _)| *name), fetches, targets)?;
        let mut fetched = Vec::with_capacity(fetches.len());
        let run = self.runs.begin(Cancellation::default())?;
        plan.run(&run.step, feeds.iter().map(|(_, value)| value.clone()), &mut fetched)?;
        Ok(fetched)
    }

    /// As [`Session::run`], within a time, until it is cancelled, or traced, as the options say.
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
        let plan = self.plan(feeds.iter().map(|(name, _)| *name), fetches, targets)?;
        let mut fetched = Vec::with_capacity(fetches.len());
        let feeds = feeds.iter().map(|(_, value)| value.clone());
        let metadata = self.runs.run_with(options, |step| plan.run(step, feeds, &mut fetched))?;
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
        let plan = self.plan(feeds.iter().copied(), fetches, targets)?;
        Ok(Callable::new(plan, self.runs.clone()))
    }

    fn plan<'n>(
        &self,
        feeds: impl Iterator<Item = &'n str> + Clone,
        fetches: &[&'n str],
        targets: &[&'n str],
    ) -> Result<Arc<Executor>> {
        if let Some(plan) = self.plans().find(feeds.clone(), fetches, targets) {
            return Ok(plan);
        }
        let feeds: Vec<&str> = feeds.collect();
        let graph = self.graph();
        let signature = Signature::resolve(&graph, &feeds, fetches, targets)?;
        let plan = self.make_plan(&graph, &signature, &self.options.passes)?;
        Ok(self.plans().insert(&feeds, fetches, targets, Arc::new(plan)))
    }

    fn make_plan(&self, graph: &Graph, signature: &Signature, passes: &PassOptions) -> Result<Executor> {
        let (device, device_type) = (self.device.name(), self.device.device_type());
        let placement = Placement { device, device_type, soft: self.options.allow_soft_placement };
        let (env, pool) = (self.env.clone(), self.pool.clone());
        let (graph, signature) = optimize(graph, signature, passes)?;
        Executor::build_with(&graph, &signature, placement, env, pool, &self.kernels)
    }

    fn plans(&self) -> std::sync::MutexGuard<'_, PlanCache> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} nodes on {})", self.graph().nodes().len(), self.device.name())
    }
}
