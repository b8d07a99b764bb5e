//! The executor of static graphs: the needed nodes, one after the other.
//!
//! `build` gives every value a slot and every node its kernel, `liveness` marks the last reader of each slot, `run`
//! runs the nodes.

mod build;
mod liveness;
mod run;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oplink_api::Tensor;
use oplink_core::{IntraOpPool, PreparedKernel};

use crate::graph::Provenance;
use crate::kernels::{Envs, Feed, Promise};
use run::Scratch;

/// The nodes of a run, and what they read and write.
///
/// Each value of a run has a slot of its own: constants first, then feeds, then the outputs of each node side by side.
pub(crate) struct SequentialExecutor {
    nodes: Vec<PlannedNode>,
    /// Inputs of all nodes, one node after the other.
    inputs: Vec<Source>,
    /// Slots whose value nobody reads, one node after the other.
    unread: Vec<u32>,
    /// What inference promised of the outputs, one node after the other.
    promises: Vec<Promise>,
    /// Where nodes come from that rewrites made, by position.
    provenance: Vec<(usize, Provenance)>,
    constants: Vec<Tensor>,
    feeds: Vec<Feed>,
    fetches: Vec<Source>,
    num_slots: usize,
    envs: Envs,
    /// The pool that runs count in once a kernel spread its work; `None` for none.
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

impl SequentialExecutor {
    /// The nodes that run, in order.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| node.kernel.node().name.as_str())
    }
}
