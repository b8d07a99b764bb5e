//! Where a session runs: on one device, or on several with placement and copies.

use std::sync::Arc;

use oplink_api::{Cancellation, Output, Result, Step, Tensor};
use oplink_core::{Device, IntraOpPool, PreparedKernel, intra_op_pool};

use super::envs::Envs;
use super::prepared::{Assigned, KernelCache};
use super::single_device::Placement;
use crate::Graph;
use crate::graph::NodeMap;
use crate::signature::Signature;

/// The devices of a session. What works on several of them is behind [`Place`], so that programs whose sessions have
/// one device do not link it.
pub(crate) struct Devices {
    /// The device whose memory is the host's: where feeds come from and fetches go to.
    pub(crate) host: Arc<dyn Device>,
    pub(crate) envs: Envs,
    /// Threads for several nodes at once; `None` where kernels use one thread.
    pub(crate) pool: Option<Arc<IntraOpPool>>,
    /// Whether nodes whose device cannot run them run elsewhere.
    pub(crate) soft: bool,
    pub(crate) placer: Option<Box<dyn Place>>,
    /// What plans the work of devices that record it; `None` where none is recorded, so that programs whose sessions
    /// have one device do not link it.
    pub(crate) record: Option<RecordWork>,
}

/// Plans in parts, of which one is work that its device records; `None` where that is impossible, or not worth it.
///
/// # Errors
/// Those of the whole plan.
pub(crate) type RecordWork = fn(&PlanInputs<'_>) -> Result<Option<Box<dyn PlanInParts>>>;

/// What a plan is made of.
#[derive(Clone, Copy)]
pub(crate) struct PlanInputs<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) signature: &'a Signature,
    /// The nodes that the signature needs.
    pub(crate) needed: &'a [u32],
    pub(crate) assigned: Assigned<'a>,
    pub(crate) devices: &'a Devices,
    pub(crate) cache: &'a KernelCache,
    pub(crate) cancellation: &'a Cancellation,
}

/// A plan that runs in parts.
pub(crate) trait PlanInParts: Send + Sync {
    /// Runs once, as the executor does.
    ///
    /// # Errors
    /// Those of the executor.
    fn run(&self, step: &Step, feeds: Vec<Tensor>, fetched: &mut Vec<Tensor>) -> Result<()>;

    /// The nodes whose kernels run.
    fn node_names(&self) -> Box<dyn Iterator<Item = &str> + '_>;
}

/// Gives nodes their devices and brings values to where they are read.
pub(crate) trait Place: Send + Sync {
    /// Places the needed nodes.
    ///
    /// # Errors
    /// A node asks for a device that there is not, or that has no kernel for it; nodes that must share a device ask for
    /// different ones; a constant cannot be copied; the reason of the cancellation.
    fn place(
        &self,
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        results: Results<'_>,
        cancellation: &Cancellation,
    ) -> Result<Placed>;

    /// The devices, those of the highest priority first.
    fn devices(&self) -> &[Arc<dyn Device>];
}

/// What happens to the values that are fetched, and what is known of those that are fed.
#[derive(Clone, Copy)]
pub(crate) enum Results<'a> {
    /// They go to the host.
    ToHost,
    /// They are a function's: they stay where they are, conditions and numbers of branches aside. For each argument the
    /// device of the resource that it refers to; empty where it refers to none.
    OfFunction(&'a [String]),
}

/// A part of a graph with its nodes' devices.
pub(crate) struct Placed {
    /// The graph with copies in it; `None` where no value moves.
    pub(crate) copied: Option<Copied>,
    /// By needed node.
    pub(crate) devices: NodeMap<Arc<dyn Device>>,
}

/// A graph in which copies bring values to where they are read.
pub(crate) struct Copied {
    pub(crate) graph: Graph,
    pub(crate) fetches: Vec<Output>,
    /// The kernels of the copies.
    pub(crate) kernels: NodeMap<Arc<PreparedKernel>>,
}

impl Devices {
    /// One device, of which kernels use at most so many threads; 0 means all.
    ///
    /// # Errors
    /// The thread pool cannot be started.
    pub(crate) fn one(device: Arc<dyn Device>, threads: usize, soft: bool) -> Result<Self> {
        let pool = intra_op_pool()?;
        let env = device.env_with_threads(&pool, threads);
        let pool = (env.intra_op_threads() > 1).then_some(pool);
        Ok(Self { host: device, envs: Envs::host_only(env), pool, soft, placer: None, record: None })
    }

    /// Where nodes run if there is one device.
    pub(crate) fn placement(&self) -> Placement<'_> {
        Placement { device: self.host.name(), device_type: self.host.device_type(), soft: self.soft }
    }

    /// All of them, those of the highest priority first.
    pub(crate) fn all(&self) -> &[Arc<dyn Device>] {
        self.placer.as_ref().map_or(std::slice::from_ref(&self.host), |placer| placer.devices())
    }
}
