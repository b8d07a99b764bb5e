//! Which nodes lie between what is differentiated and what it is differentiated by.

use std::collections::VecDeque;

use oplink_api::{Error, Output, Result};

use crate::graph::{NodeMap, NodeSet};
use crate::{Graph, Node};

/// The nodes that get gradients: those on a way from an x to a y.
#[derive(Debug)]
pub(super) struct Reachability {
    /// How many gradients each node still waits for.
    pub(super) waiting: NodeMap<usize>,
}

impl Reachability {
    pub(super) fn new(graph: &Graph, ys: &[Output], xs: &[Output]) -> Self {
        Self { waiting: waiting(ys, xs, &consumers(graph, &reached_from(graph, ys))) }
    }

    /// As [`Reachability::new`], where some y depends on each x.
    ///
    /// # Errors
    /// No y depends on an x.
    pub(super) fn of_all(graph: &Graph, ys: &[Output], xs: &[Output]) -> Result<Self> {
        let reached = reached_from(graph, ys);
        if let Some(x) = xs.iter().find(|x| !reached.contains(x.node)) {
            return Err(Error::invalid_argument(format!(
                "Cannot compute the partial derivative for node '{}' as it's unreachable from the output node(s).",
                graph.node(x.node).map_or("", |node| node.name())
            )));
        }
        Ok(Self { waiting: waiting(ys, xs, &consumers(graph, &reached)) })
    }

    /// Whether the node gets gradients.
    pub(super) fn contains(&self, node: u32) -> bool {
        self.waiting.contains(node)
    }
}

/// The nodes that outputs depend on, and their own.
pub(super) fn reached_from(graph: &Graph, outputs: &[Output]) -> NodeSet {
    let mut reached = NodeSet::default();
    let mut stack: Vec<u32> = outputs.iter().map(|output| output.node).collect();
    while let Some(node) = stack.pop() {
        if reached.insert(node, ()).is_none() {
            stack.extend(graph.node(node).into_iter().flat_map(Node::inputs).map(|input| input.node));
        }
    }
    reached
}

/// For each node those of `among` that read it, once for each input.
fn consumers(graph: &Graph, among: &NodeSet) -> NodeMap<Vec<u32>> {
    let mut consumers: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes().len()];
    let nodes = graph.nodes().iter().enumerate().map(|(at, node)| (at as u32, node));
    for (position, node) in nodes.filter(|(position, _)| among.contains(*position)) {
        for input in node.inputs() {
            consumers[input.node as usize].push(position);
        }
    }
    let mut map = NodeMap::default();
    for (position, readers) in consumers.into_iter().enumerate().filter(|(_, readers)| !readers.is_empty()) {
        map.insert(position as u32, readers);
    }
    map
}

/// How many gradients the nodes from `xs` on get.
fn waiting(ys: &[Output], xs: &[Output], consumers: &NodeMap<Vec<u32>>) -> NodeMap<usize> {
    let mut waiting = NodeMap::default();
    let mut queue: VecDeque<u32> = xs.iter().map(|x| x.node).collect();
    while let Some(node) = queue.pop_front() {
        let seeds = ys.iter().filter(|y| y.node == node).count();
        let readers = consumers.get(node).map_or(&[][..], Vec::as_slice);
        if waiting.insert(node, seeds + readers.len()).is_none() {
            queue.extend(readers);
        }
    }
    waiting
}

/// What an output is, seen through ops that only forward a value.
pub(super) fn source(graph: &Graph, mut output: Output) -> Output {
    while let Some(node) = graph.node(output.node).filter(|node| node.known().is_identity()) {
        match node.inputs().first() {
            Some(&input) => output = input,
            None => break,
        }
    }
    output
}
