//! The dataflow executor: runs nodes as their inputs arrive, in frames and iterations where there are loops, on several
//! threads where that pays.
//!
//! Building: `frames` gives each node its frame and refuses malformed loops, `wiring` leaves out what computes nothing,
//! `build` numbers nodes, input slots and edges frame by frame. Running: `state` holds the iterations under way,
//! `deliver` brings a value to its readers, `loops` starts and ends frames and iterations, `run` drives a step on the
//! caller's thread, `share` brings in the pool's threads, `mailbox` receives what finishes elsewhere.
//!
//! Values wait in the slots of their readers, one for each input, so that the last reader holds the only reference to
//! memory that nobody else needs, and may reuse it.

mod build;
mod cost;
mod deliver;
mod estimate;
mod frames;
mod loops;
mod mailbox;
mod perform;
mod role;
mod run;
mod share;
mod state;
mod wiring;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oplink_api::{NodeInfo, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

use crate::graph::Provenance;
use crate::kernels::{Envs, Feed, Promise};
use cost::Costs;
use role::Role;
use state::State;

pub(crate) use run::Threads;

/// No edge, slot, iteration or frame.
const NONE: u32 = u32::MAX;

/// What runs for one set of feeds, fetches and targets.
pub(crate) struct Dataflow {
    /// Frame by frame.
    nodes: Vec<Node>,
    inputs: Vec<Input>,
    /// By output: where its edges start; they end where those of the next output do.
    outputs: Vec<u32>,
    /// What inference promised of each output.
    promises: Vec<Promise>,
    edges: Vec<Edge>,
    constants: Vec<Tensor>,
    layouts: Vec<Layout>,
    /// Nodes that wait for nothing.
    starts: Vec<u32>,
    feeds: Vec<Feed>,
    /// By feed: its entry in `outputs`.
    feed_outputs: Vec<u32>,
    fetches: Vec<Fetch>,
    costs: Costs,
    envs: Envs,
    pool: Option<Arc<IntraOpPool>>,
    spreads: AtomicBool,
    #[allow(clippy::vec_box, reason = "a state moves between the list and a run at each run, and is large")]
    idle: Mutex<Vec<Box<State>>>,
}

impl Dataflow {
    /// Whether the build has the executor.
    pub(crate) const IS_LINKED: bool = true;

    /// The nodes with kernels: frame by frame, and there each after those that it waits for.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(|node| node.kernel.is_some()).map(|node| node.info.name.as_str())
    }
}

/// One node.
struct Node {
    role: Role,
    /// Where its device's environment is found.
    env: u16,
    /// Whether its kernel may wait, so that it runs only on the thread that drives the step.
    may_wait: bool,
    calls_functions: bool,
    is_async: bool,
    /// Whether an input is a reference that the node takes as a value.
    reads_references: bool,
    /// Position of its frame in `layouts`; for an `Enter` that of the frame it leads into.
    layout: u32,
    /// For an `Enter` of a loop invariant, its number in the frame.
    invariant: Invariant,
    first_input: u32,
    num_inputs: u32,
    first_output: u32,
    num_outputs: u32,
    kernel: Option<Arc<PreparedKernel>>,
    info: Arc<NodeInfo>,
    provenance: Provenance,
}

/// How an `Enter` brings its value into a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Invariant {
    /// Into the first iteration.
    No,
    /// Into the frame, where readers of all iterations find it under this number.
    Kept(u32),
    /// Into each iteration.
    Sent,
}

/// Where a node finds an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    /// In a slot of its iteration.
    Slot(u32),
    /// Among the constants.
    Constant(u32),
    /// Among the invariants of its frame.
    Invariant(u32),
}

/// Where a value or a signal goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    to: To,
    /// The node; for a fetch its number.
    node: u32,
    /// The slot, for values.
    slot: u32,
    /// Which input, for values of a `Merge`.
    index: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum To {
    /// Something to wait for.
    Signal,
    /// As `Signal`; whether it is dead does not matter.
    Trigger,
    /// As `Signal`, for a `Merge`.
    MergeSignal,
    /// A value to read.
    Value,
    /// One of the values of a `Merge`.
    MergeValue,
    /// A value to fetch.
    Fetch,
}

/// What the iterations of one frame look like.
#[derive(Debug, Default)]
struct Layout {
    first_node: u32,
    num_slots: u32,
    /// What each node waits for when an iteration starts.
    template: Vec<Pending>,
    parallel_iterations: u32,
    num_enters: u32,
    num_invariants: u32,
    /// Its number among the frames inside its parent.
    child: u32,
    num_children: u32,
}

/// What a node of an iteration still waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pending {
    /// Values and signals; for a `Merge` signals alone.
    waiting: u32,
    /// Whether something dead arrived; for a `Merge` how many dead values, or `LIVE`.
    dead: u16,
    /// For a `Merge`: its inputs; once it is live, which of them is.
    inputs: u16,
}

impl Pending {
    /// A `Merge` has its value.
    const LIVE: u16 = u16::MAX;
}

/// Where a fetched value comes from.
enum Fetch {
    Constant(Tensor),
    /// A value that is delivered; whether it is a reference.
    Delivered {
        is_reference: bool,
        name: String,
    },
}
