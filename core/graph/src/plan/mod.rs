//! A plan: what a session does for one set of feeds, fetches and targets, worked out once.
//!
//! `signature` resolves names, `prune` finds the nodes that are needed and their order, `build` gives every value a slot
//! and every node its kernel, `liveness` tells the last reader of each slot, `run` follows the plan.

mod build;
mod liveness;
mod place;
mod prune;
mod run;
mod signature;

use std::sync::{Arc, Mutex};

use oplink_api::{DType, KernelEnv, PartialShape, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

pub(crate) use crate::executor::Executor;
pub(crate) use place::Placement;
use run::Scratch;
pub(crate) use signature::Signature;

/// Values with at least this many elements are worth several threads.
const SPREAD_ELEMENTS: usize = 1 << 14;

/// The nodes of a run, and what they read and write.
///
/// Each value of a run has a slot of its own: constants first, then feeds, then the outputs of each node side by side.
pub(crate) struct Plan {
    nodes: Vec<PlannedNode>,
    /// Inputs of all nodes, one node after the other.
    inputs: Vec<Source>,
    /// Slots whose value nobody reads, one node after the other.
    unread: Vec<u32>,
    constants: Vec<Tensor>,
    feeds: Vec<Feed>,
    fetches: Vec<Source>,
    num_slots: usize,
    env: Arc<dyn KernelEnv>,
    /// The pool on which runs happen; `None` where they run on the caller's thread.
    pool: Option<Arc<IntraOpPool>>,
    idle: Mutex<Vec<Scratch>>,
}

/// One node's kernel with the extent of its inputs and outputs.
struct PlannedNode {
    kernel: PreparedKernel,
    num_inputs: u32,
    num_unread: u32,
    first_output: u32,
    num_outputs: u32,
}

/// A value that the caller gives.
struct Feed {
    slot: u32,
    name: String,
    dtype: DType,
    shape: PartialShape,
}

/// A slot to read, and whether this is the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source(u32);

impl Source {
    const LAST: u32 = 1 << 31;

    fn slot(self) -> usize {
        (self.0 & !Self::LAST) as usize
    }

    fn is_last(self) -> bool {
        self.0 & Self::LAST != 0
    }

    fn as_last(self) -> Self {
        Self(self.0 | Self::LAST)
    }
}

impl Plan {
    /// The number of values to feed.
    pub(crate) fn num_feeds(&self) -> usize {
        self.feeds.len()
    }

    /// The number of values that a run returns.
    pub(crate) fn num_fetches(&self) -> usize {
        self.fetches.len()
    }

    /// The nodes that run, in order.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| node.kernel.node().name.as_str())
    }
}
