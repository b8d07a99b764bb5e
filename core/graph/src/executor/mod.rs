//! What runs a part of a graph: the nodes between its feeds and its fetches.

mod parts;
mod recorded;
mod tune;

use oplink_api::{Cancellation, Result, Step, Tensor};

use crate::Graph;
use crate::dataflow::{Dataflow, Threads};
use crate::kernels::{
    Assigned, Copied, Devices, KernelCache, Kernels, Placed, PlanInParts, PlanInputs, Results, may_wait,
};
use crate::sequential::SequentialExecutor;
use crate::signature::{Signature, needed_nodes};
pub(crate) use recorded::plan_recorded_work;
use tune::Tuned;

/// Runs what a signature asks for, worked out once.
pub(crate) struct Executor {
    strategy: Strategy,
    num_feeds: usize,
    num_fetches: usize,
}

/// How it runs.
enum Strategy {
    /// One node after the other.
    Sequential(SequentialExecutor),
    /// As values arrive: where there are loops, branches, or kernels that finish later.
    Dataflow(Dataflow),
    /// One of the two, whichever is faster.
    Tuned(Tuned),
    /// In parts, one of which is work that its device records.
    InParts(Box<dyn PlanInParts>),
}

impl Executor {
    /// Works out how to run what `signature` asks for, with the kernels of nodes with state from `cache`.
    ///
    /// # Errors
    /// Placeholders that are not fed; nodes that have no kernel, that no device serves as they ask for it, or whose
    /// kernel cannot be constructed; malformed loops; the reason of the cancellation.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        devices: &Devices,
        results: Results<'_>,
        cache: &KernelCache,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let needed = needed_nodes(graph, signature)?;
        let Some(placer) = &devices.placer else {
            let (needed, assigned) = (needed.as_slice(), Assigned::One(devices.placement()));
            return Self::assemble(&PlanInputs { graph, signature, needed, assigned, devices, cache, cancellation });
        };
        let Placed { copied, devices: each } = placer.place(graph, signature, &needed, results, cancellation)?;
        let Some(Copied { graph, fetches, kernels }) = copied else {
            let (needed, assigned) = (needed.as_slice(), Assigned::Each { devices: &each, copies: None });
            return Self::assemble(&PlanInputs { graph, signature, needed, assigned, devices, cache, cancellation });
        };
        let (graph, signature) = (&graph, &Signature { fetches, ..signature.clone() });
        let needed = &needed_nodes(graph, signature)?;
        let assigned = Assigned::Each { devices: &each, copies: Some(&kernels) };
        let inputs = PlanInputs { graph, signature, needed, assigned, devices, cache, cancellation };
        if let Some(record) = devices.record.filter(|_| matches!(results, Results::ToHost))
            && let Some(plan) = record(&inputs)?
        {
            let (num_feeds, num_fetches) = (signature.feeds.len(), signature.fetches.len());
            return Ok(Self { strategy: Strategy::InParts(plan), num_feeds, num_fetches });
        }
        Self::assemble(&inputs)
    }

    fn assemble(inputs: &PlanInputs<'_>) -> Result<Self> {
        let &PlanInputs { graph, signature, needed, assigned, devices, cache, cancellation } = inputs;
        let kernels = Kernels::prepare(graph, needed, &signature.feeds, assigned, cache, cancellation)?;
        let decides = |&node: &u32| graph.nodes()[node as usize].known().is_control_flow();
        let Devices { envs, pool, .. } = devices;
        let dataflow = || Dataflow::build(graph, signature, needed, &kernels, envs.clone(), pool.clone(), cancellation);
        let sequential =
            |pool| SequentialExecutor::build(graph, signature, needed, &kernels, envs.clone(), pool, cancellation);
        let strategy = if kernels.finishes_later() || needed.iter().any(decides) {
            Strategy::Dataflow(dataflow()?)
        } else if kernels.all().any(|kernel| may_wait(graph, kernel)) {
            // What is called may wait, which no thread of the pool should.
            Strategy::Sequential(sequential(None)?)
        } else {
            let threads = pool.as_ref().map_or(1, |pool| pool.threads().min(envs.host().intra_op_threads()));
            let wide = match threads {
                2.. if Dataflow::IS_LINKED => Some(dataflow()?).filter(|dataflow| dataflow.is_wide(threads)),
                _ => None,
            };
            let sequential = sequential(pool.clone())?;
            match wide {
                Some(dataflow) => Strategy::Tuned(Tuned::new(sequential, dataflow, threads)),
                None => Strategy::Sequential(sequential),
            }
        };
        Ok(Self { strategy, num_feeds: signature.feeds.len(), num_fetches: signature.fetches.len() })
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
        match &self.strategy {
            Strategy::Sequential(sequential) => sequential.run(step, feeds, fetched),
            Strategy::Dataflow(dataflow) => dataflow.run(step, feeds, fetched, Threads::WhereWorthIt),
            Strategy::Tuned(tuned) => tuned.run(step, feeds, fetched),
            Strategy::InParts(plan) => plan.run(step, feeds.collect(), fetched),
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
        match &self.strategy {
            Strategy::Sequential(sequential) => Box::new(sequential.node_names()),
            Strategy::Tuned(tuned) => Box::new(tuned.sequential().node_names()),
            Strategy::InParts(plan) => plan.node_names(),
            Strategy::Dataflow(dataflow) => Box::new(dataflow.node_names()),
        }
    }
}
