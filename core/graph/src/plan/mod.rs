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

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oplink_api::{DType, Error, Output, PartialShape, Result, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

use crate::Graph;
use crate::executor::Envs;
pub(crate) use place::Placement;
pub(crate) use prune::needed_nodes;
use run::Scratch;
pub(crate) use signature::Signature;

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
    envs: Envs,
    /// The pool on which runs happen once a kernel spread its work; `None` where they stay on the caller's thread.
    pool: Option<Arc<IntraOpPool>>,
    /// Whether a kernel of a former run spread its work over threads.
    spreads: AtomicBool,
    idle: Mutex<Vec<Scratch>>,
}

/// One node's kernel with the extent of its inputs and outputs.
struct PlannedNode {
    kernel: Arc<PreparedKernel>,
    /// Where its device's environment is found.
    env: u16,
    /// Whether an input is a reference that the node takes as a value.
    reads_references: bool,
    num_inputs: u32,
    num_unread: u32,
    first_output: u32,
    num_outputs: u32,
}

/// A value that the caller gives.
pub(crate) struct Feed {
    pub(crate) slot: u32,
    name: String,
    dtype: DType,
    shape: PartialShape,
}

impl Feed {
    pub(crate) fn new(graph: &Graph, output: Output, slot: u32) -> Self {
        let dtype = graph.dtype(output).unwrap_or(DType::Invalid);
        Self { slot, name: graph.output_name(output), dtype, shape: graph.shape(output) }
    }

    /// Checks a value for it.
    ///
    /// # Errors
    /// The value has another dtype, or a shape that does not fit.
    #[inline]
    pub(crate) fn check(&self, value: &Tensor) -> Result<()> {
        if value.dtype() == self.dtype && self.shape.accepts(value.shape()) { Ok(()) } else { Err(self.wrong(value)) }
    }

    #[cold]
    fn wrong(&self, value: &Tensor) -> Error {
        let Self { name, dtype, shape, .. } = self;
        let message = if value.dtype() == *dtype {
            format!("`{name}` has shape {shape}, the value fed has shape {}", value.shape())
        } else {
            format!("`{name}` is of {dtype}, the value fed is of {}", value.dtype())
        };
        Error::invalid_argument(message).context(format!("feed `{name}`"))
    }
}

/// The error of a run that is given another number of values than it needs.
#[cold]
pub(crate) fn wrong_feed_count(given: usize, needed: usize) -> Error {
    Error::invalid_argument(format!("{given} values are fed, {needed} are needed"))
}

/// A slot to read, and whether this is the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source(u32);

impl Source {
    const LAST: u32 = 1 << 31;
    const REFERENCE: u32 = 1 << 30;

    fn slot(self) -> usize {
        (self.0 & !(Self::LAST | Self::REFERENCE)) as usize
    }

    fn is_last(self) -> bool {
        self.0 & Self::LAST != 0
    }

    fn as_last(self) -> Self {
        Self(self.0 | Self::LAST)
    }

    /// Whether the slot holds a reference.
    fn is_reference(self) -> bool {
        self.0 & Self::REFERENCE != 0
    }

    fn as_reference(self) -> Self {
        Self(self.0 | Self::REFERENCE)
    }
}

impl Plan {
    /// The nodes that run, in order.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| node.kernel.node().name.as_str())
    }
}
