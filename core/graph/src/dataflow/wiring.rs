//! What each node waits for, with nodes left out that compute nothing: constants, nodes that forward their input, and
//! nodes that only wait.
//!
//! Who reads a node that is left out reads what that node would hand on, and waits for what it would wait for. So order
//! and deadness stay what the graph says.

use std::collections::{HashMap, HashSet};

use oplink_api::{Cancellation, Output, Result};
use smallvec::SmallVec;

use super::frames::Frames;
use super::role::{Role, role};
use crate::Graph;
use crate::graph::Node;
use crate::graph::{constant_of, forwarded_input};
use crate::known_ops::KnownOp;
use crate::signature::Signature;

/// A node is left out where its readers would wait for at most so many others in its place.
const MAX_SIGNALS: usize = 2;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// The constant node at a position.
    Constant(u32),
    /// A feed by number.
    Feed(usize),
    /// A node that runs.
    Output(Output),
}

/// What a node waits for without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Signal {
    /// The end of a node; dead where the node is.
    Node(u32),
    /// A value; dead where the value is.
    Output(Output),
}

type Signals = SmallVec<[Signal; 2]>;

/// A node that runs: what it reads and what else it waits for.
#[derive(Debug)]
pub(super) struct Wired {
    pub(super) node: u32,
    pub(super) role: Role,
    pub(super) inputs: Vec<Source>,
    pub(super) signals: Vec<Signal>,
}

/// Stands for a node that is left out.
#[derive(Clone, Debug)]
struct Elided {
    source: Option<Source>,
    signals: Signals,
}

/// The nodes that run, in topological order, and what the fetches read.
#[derive(Debug)]
pub(super) struct Wiring {
    pub(super) nodes: Vec<Wired>,
    pub(super) fetches: Vec<Source>,
}

impl Wiring {
    /// # Errors
    /// The reason of the cancellation.
    pub(super) fn new(
        graph: &Graph,
        frames: &Frames,
        signature: &Signature,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let feeds: HashMap<Output, usize> = signature.feeds.iter().copied().zip(0..).collect();
        let mut wirer = Wirer {
            graph,
            signature,
            feeds,
            kept_values: HashSet::new(),
            merged: HashSet::new(),
            elided: HashMap::new(),
        };
        wirer.find_read_by_merges(&frames.order);
        let mut nodes = Vec::new();
        for &node in &frames.order {
            cancellation.check()?;
            match wirer.elide(node) {
                Some(elided) => drop(wirer.elided.insert(node, elided)),
                None => nodes.push(wirer.wire(node)),
            }
        }
        let fetches = signature.fetches.iter().map(|&fetch| wirer.source(fetch)).collect();
        Ok(Self { nodes, fetches })
    }
}

struct Wirer<'g> {
    graph: &'g Graph,
    signature: &'g Signature,
    feeds: HashMap<Output, usize>,
    /// Nodes whose output is fetched.
    kept_values: HashSet<u32>,
    /// Nodes that a `Merge` reads: it tells from their deadness what to hand on.
    merged: HashSet<u32>,
    elided: HashMap<u32, Elided>,
}

impl Wirer<'_> {
    fn node(&self, position: u32) -> &Node {
        &self.graph.nodes()[position as usize]
    }

    fn find_read_by_merges(&mut self, order: &[u32]) {
        let graph = self.graph;
        let nodes = order.iter().map(|&node| &graph.nodes()[node as usize]);
        let merges = nodes.filter(|node| role(node.known()) == Role::Merge);
        self.merged = merges.flat_map(|merge| merge.inputs().iter().map(|input| input.node)).collect();
        self.kept_values = self.signature.fetches.iter().map(|fetch| fetch.node).collect();
    }

    /// What stands for the node, where it is left out.
    fn elide(&self, position: u32) -> Option<Elided> {
        let node = self.node(position);
        let mut signals = SignalSet::default();
        let source = if constant_of(node).is_some() {
            Some(Source::Constant(position))
        } else if let Some(input) = self.forwarded_input(node) {
            self.add_signals_of(input, &mut signals);
            Some(self.source(input))
        } else if role(node.known()) == Role::Nothing {
            None
        } else {
            return None;
        };
        self.add_control(node, &mut signals);
        let signals = signals.list;
        let merged = self.merged.contains(&position);
        let constant = matches!(source, Some(Source::Constant(_)));
        let watched = merged || self.kept_values.contains(&position);
        let leave_out =
            if signals.is_empty() { !(merged && constant) } else { !watched && signals.len() <= MAX_SIGNALS };
        leave_out.then_some(Elided { source, signals })
    }

    /// The input that a node forwards as its output.
    fn forwarded_input(&self, node: &Node) -> Option<Output> {
        let condition = (node.known() == KnownOp::LoopCond).then(|| node.inputs().first().copied()).flatten();
        condition.or_else(|| forwarded_input(self.graph, node, &self.signature.feeds))
    }

    fn wire(&self, position: u32) -> Wired {
        let node = self.node(position);
        let role = match (role(node.known()), constant_of(node)) {
            (Role::Kernel, Some(_)) => Role::Pass,
            (role, _) => role,
        };
        let mut signals = SignalSet::default();
        let mut inputs: Vec<Source> = Vec::with_capacity(node.inputs().len());
        for &input in node.inputs() {
            inputs.push(self.source(input));
            self.add_signals_of(input, &mut signals);
        }
        if constant_of(node).is_some() {
            inputs.push(Source::Constant(position));
        }
        self.add_control(node, &mut signals);
        let mut signals = signals.list;
        if role != Role::Merge && !signals.is_empty() {
            let read: HashSet<Output> = inputs
                .iter()
                .filter_map(|source| match source {
                    Source::Output(output) => Some(*output),
                    _ => None,
                })
                .collect();
            let nodes: HashSet<u32> = read.iter().map(|output| output.node).collect();
            // Who reads a value has waited for it and for its node.
            signals.retain(|signal| match signal {
                Signal::Node(node) => !nodes.contains(node),
                Signal::Output(output) => !read.contains(output),
            });
        }
        Wired { node: position, role, inputs, signals: signals.into_vec() }
    }

    /// Where the value of an output comes from.
    fn source(&self, output: Output) -> Source {
        if let Some(&feed) = self.feeds.get(&output) {
            return Source::Feed(feed);
        }
        let elided = self.elided.get(&output.node).and_then(|elided| elided.source);
        elided.unwrap_or(Source::Output(output))
    }

    /// Adds what a reader of the output waits for besides its source.
    fn add_signals_of(&self, output: Output, signals: &mut SignalSet) {
        if let (None, Some(elided)) = (self.feeds.get(&output), self.elided.get(&output.node)) {
            elided.signals.iter().for_each(|&signal| signals.add(signal));
        }
    }

    /// Adds what the control inputs stand for.
    fn add_control(&self, node: &Node, signals: &mut SignalSet) {
        for &source in node.control_inputs() {
            if self.node(source).known().is_placeholder() {
                continue;
            }
            let Some(elided) = self.elided.get(&source) else {
                signals.add(Signal::Node(source));
                continue;
            };
            elided.signals.iter().for_each(|&signal| signals.add(signal));
            if let Some(Source::Output(output)) = elided.source {
                signals.add(Signal::Output(output));
            }
        }
    }
}

/// What a node waits for, each once.
#[derive(Default)]
struct SignalSet {
    list: Signals,
    /// The same, where there are so many that they are not looked through one by one.
    set: HashSet<Signal>,
}

impl SignalSet {
    /// Signals that are looked through one by one.
    const MAX_LISTED: usize = 16;

    fn add(&mut self, signal: Signal) {
        if self.list.len() < Self::MAX_LISTED {
            if !self.list.contains(&signal) {
                self.list.push(signal);
            }
            return;
        }
        if self.set.is_empty() {
            self.set.extend(self.list.iter().copied());
        }
        if self.set.insert(signal) {
            self.list.push(signal);
        }
    }
}
