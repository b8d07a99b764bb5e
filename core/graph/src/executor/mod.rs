//! What runs a part of a graph: the nodes between its feeds and its fetches.

mod devices;
mod env;
mod envs;
mod kernels;
mod reference;
mod tune;

use oplink_api::{Result, Step, Tensor};

pub(crate) use devices::{Copied, Devices, Place, Placed, Results};
pub(crate) use env::StepEnv;
pub(crate) use envs::Envs;
#[cfg(feature = "dataflow")]
pub(crate) use envs::StepEnvs;
pub(crate) use kernels::{Assigned, KernelCache, Kernels, calls_functions, constant_of, hands_input_on, in_one_error};
pub(crate) use reference::{dereference, dereference_inputs, is_reference};

use crate::Graph;
use crate::dataflow::{Dataflow, Threads};
use crate::known_ops::{DEVICE_COPY, is_control_flow};
use crate::plan::{Plan, Signature, needed_nodes};
use tune::Tuned;

/// Runs what a signature asks for, worked out once.
pub(crate) struct Executor {
    way: Way,
    num_feeds: usize,
    num_fetches: usize,
}

/// How it runs.
enum Way {
    /// One node after the other.
    Plan(Plan),
    /// As values arrive: where there are loops, branches, or kernels that finish later.
    Dataflow(Dataflow),
    /// One of the two, whichever is faster.
    Tuned(Tuned),
}

impl Executor {
    /// Works out how to run what `signature` asks for, with the kernels of nodes with state from `cache`.
    ///
    /// # Errors
    /// Placeholders that are not fed; nodes that have no kernel, that no device serves as they ask for it, or whose kernel
    /// cannot be constructed; malformed loops.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        devices: &Devices,
        results: Results<'_>,
        cache: &KernelCache,
    ) -> Result<Self> {
        let needed = needed_nodes(graph, signature)?;
        let Some(placer) = &devices.placer else {
            return Self::assemble(graph, signature, &needed, Assigned::One(devices.placement()), devices, cache);
        };
        let Placed { copied, devices: each } = placer.place(graph, signature, &needed, results)?;
        let Some(Copied { graph, fetches, kernels }) = copied else {
            let assigned = Assigned::Each { devices: &each, copies: None };
            return Self::assemble(graph, signature, &needed, assigned, devices, cache);
        };
        let signature = Signature { fetches, ..signature.clone() };
        let needed = needed_nodes(&graph, &signature)?;
        let assigned = Assigned::Each { devices: &each, copies: Some(&kernels) };
        Self::assemble(&graph, &signature, &needed, assigned, devices, cache)
    }

    fn assemble(
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        assigned: Assigned<'_>,
        devices: &Devices,
        cache: &KernelCache,
    ) -> Result<Self> {
        let kernels = Kernels::prepare(graph, needed, &signature.feeds, assigned, cache)?;
        let decides = |&node: &u32| is_control_flow(graph.nodes()[node as usize].op_name());
        let finishes_later = kernels.all().any(|kernel| kernel.is_async() && kernel.node().op.name != DEVICE_COPY);
        let Devices { envs, pool, .. } = devices;
        let dataflow = || Dataflow::build(graph, signature, needed, &kernels, envs.clone(), pool.clone());
        let plan = |pool| Plan::build(graph, signature, needed, &kernels, envs.clone(), pool);
        let way = if finishes_later || needed.iter().any(decides) {
            Way::Dataflow(dataflow()?)
        } else if kernels.all().any(calls_functions) {
            // What is called may wait, which no thread of the pool should.
            Way::Plan(plan(None)?)
        } else {
            let threads = pool.as_ref().map_or(1, |pool| pool.threads().min(envs.host().intra_op_threads()));
            let wide = match threads {
                2.. if Dataflow::IS_LINKED => Some(dataflow()?).filter(|dataflow| dataflow.is_wide(threads)),
                _ => None,
            };
            let plan = plan(pool.clone())?;
            match wide {
                Some(dataflow) => Way::Tuned(Tuned::new(plan, dataflow, threads)),
                None => Way::Plan(plan),
            }
        };
        Ok(Self { way, num_feeds: signature.feeds.len(), num_fetches: signature.fetches.len() })
    }

    /// Runs once, as part of `step`. `feeds` are in the signature's order; the fetched values are appended to `fetched`
    /// in the signature's order. Runs may overlap.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel, with node, device and inputs; the
    /// step's cancellation; a fetched value on a branch that is not taken. `fetched` is unchanged then.
    #[inline]
    pub(crate) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        match &self.way {
            Way::Plan(plan) => plan.run(step, feeds, fetched),
            Way::Dataflow(dataflow) => dataflow.run(step, feeds, fetched, Threads::WhereWorthIt),
            Way::Tuned(tuned) => tuned.run(step, feeds, fetched),
        }
    }

    /// The number of values to feed.
    pub(crate) fn num_feeds(&self) -> usize {
        self.num_feeds
    }

    /// The number of values that a run returns.
    pub(crate) fn num_fetches(&self) -> usize {
        self.num_fetches
    }

    /// The nodes whose kernels run, those in loops after the others, each after those that it waits for.
    pub(crate) fn node_names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.way {
            Way::Plan(plan) => Box::new(plan.node_names()),
            Way::Tuned(tuned) => Box::new(tuned.plan().node_names()),
            Way::Dataflow(dataflow) => Box::new(dataflow.node_names()),
        }
    }
}
