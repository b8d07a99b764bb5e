//! What runs a part of a graph: the nodes between its feeds and its fetches.

mod env;
mod kernels;
mod reference;
mod tune;

use std::sync::Arc;

use oplink_api::{KernelEnv, Result, Step, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

pub(crate) use env::StepEnv;
pub(crate) use kernels::{KernelCache, Kernels, calls_functions, constant_of, hands_input_on};
pub(crate) use reference::{dereference, dereference_inputs, is_reference};

use crate::Graph;
use crate::dataflow::{Dataflow, Threads};
use crate::known_ops::is_control_flow;
use crate::plan::{Placement, Plan, Signature, needed_nodes};
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
    /// Works out how to run what `signature` asks for.
    ///
    /// # Errors
    /// Placeholders that are not fed; nodes that have no kernel or whose kernel cannot be constructed; malformed loops.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        placement: Placement<'_>,
        env: Arc<dyn KernelEnv>,
        pool: Option<Arc<IntraOpPool>>,
    ) -> Result<Self> {
        Self::build_with(graph, signature, placement, env, pool, &KernelCache::default())
    }

    /// As [`Executor::build`], with the kernels of nodes with state from `cache`.
    ///
    /// # Errors
    /// As [`Executor::build`].
    pub(crate) fn build_with(
        graph: &Graph,
        signature: &Signature,
        placement: Placement<'_>,
        env: Arc<dyn KernelEnv>,
        pool: Option<Arc<IntraOpPool>>,
        cache: &KernelCache,
    ) -> Result<Self> {
        let needed = needed_nodes(graph, signature)?;
        let kernels = Kernels::prepare(graph, &needed, &signature.feeds, placement, cache)?;
        let decides = |&node: &u32| is_control_flow(graph.nodes()[node as usize].op_name());
        let finishes_later = kernels.all().any(PreparedKernel::is_async);
        let dataflow = |env, pool| Dataflow::build(graph, signature, &needed, &kernels, env, pool);
        let plan = |env, pool| Plan::build(graph, signature, &needed, &kernels, env, pool);
        let way = if finishes_later || needed.iter().any(decides) {
            Way::Dataflow(dataflow(env, pool)?)
        } else if kernels.all().any(calls_functions) {
            // What is called may wait, which no thread of the pool should.
            Way::Plan(plan(env, None)?)
        } else {
            let threads = pool.as_ref().map_or(1, |pool| pool.threads().min(env.intra_op_threads()));
            let wide = match threads {
                2.. if Dataflow::IS_LINKED => {
                    Some(dataflow(env.clone(), pool.clone())?).filter(|dataflow| dataflow.is_wide(threads))
                }
                _ => None,
            };
            let plan = plan(env, pool)?;
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
