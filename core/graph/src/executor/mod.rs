//! What runs a part of a graph: the nodes between its feeds and its fetches.

mod env;

use std::sync::Arc;

use oplink_api::{KernelEnv, Result, Step, Tensor};
use oplink_core::IntraOpPool;

pub(crate) use env::StepEnv;

use crate::Graph;
use crate::plan::{Placement, Plan, Signature};

/// Runs what a signature asks for, worked out once.
pub(crate) struct Executor {
    plan: Plan,
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
        let plan = Plan::build(graph, signature, placement, env, pool)?;
        Ok(Self { plan })
    }

    /// Runs once, as part of `step`. `feeds` are in the signature's order; the fetched values are appended to `fetched`
    /// in the signature's order. Runs may overlap.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel, with node, device and inputs; the
    /// step's cancellation. `fetched` is unchanged then.
    pub(crate) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        self.plan.run(step, feeds, fetched)
    }

    /// The number of values to feed.
    pub(crate) fn num_feeds(&self) -> usize {
        self.plan.num_feeds()
    }

    /// The number of values that a run returns.
    pub(crate) fn num_fetches(&self) -> usize {
        self.plan.num_fetches()
    }

    /// The nodes that run.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &str> {
        self.plan.node_names()
    }
}
