//! What the passes make of a graph, as a graph.

use std::collections::HashMap;
use std::sync::Arc;

use oplink_api::{AttrValue, Cancellation, NodeInfo, Output, Result};
use oplink_core::node_from_attrs;

use super::{InliningBudget, PassOptions, optimize};
use crate::Graph;
use crate::graph::{Node, Provenance};
use crate::known_ops::KnownOp;
use crate::signature::{Signature, needed_nodes};

/// A graph after the passes, with what a session would run of it.
#[derive(Debug)]
pub struct Optimized {
    /// The nodes that a run needs, and a placeholder for each value that is fed.
    pub graph: Graph,
    /// The names of the values that are fetched, in the order in which they were asked for.
    pub fetches: Vec<String>,
}

impl Graph {
    /// What the passes make of the part of the graph that feeds, fetches and targets need: what a session runs.
    ///
    /// # Errors
    /// A name that the graph does not have; placeholders that are needed and not fed.
    pub fn optimized(
        &self,
        feeds: &[&str],
        fetches: &[&str],
        targets: &[&str],
        options: &PassOptions,
    ) -> Result<Optimized> {
        let signature = Signature::resolve(self, feeds, fetches, targets)?;
        let budget = InliningBudget::new(usize::MAX);
        let rewritten = optimize(self, &signature, options, &budget, &Cancellation::default())?;
        Compact::default().make(&rewritten.graph, &rewritten.signature)
    }

    /// Names of the outputs that nobody reads, and of the nodes without outputs that nobody waits for.
    pub fn sinks(&self) -> (Vec<String>, Vec<String>) {
        let mut is_read = vec![false; self.nodes.len()];
        self.nodes.iter().flat_map(Node::predecessors).for_each(|node| is_read[node as usize] = true);
        let unread =
            self.nodes.iter().zip(is_read).filter(|(node, is_read)| !is_read && !node.known().is_placeholder());
        let (fetches, targets): (Vec<_>, Vec<_>) =
            unread.map(|(node, _)| node).partition(|node| node.num_outputs() > 0);
        let names = |nodes: Vec<&Node>| nodes.into_iter().map(|node| node.name().to_owned()).collect();
        (names(fetches), names(targets))
    }
}

/// Nodes on their way to new positions.
#[derive(Default)]
struct Compact {
    nodes: Vec<Node>,
    outputs: HashMap<Output, Output>,
    positions: HashMap<u32, u32>,
}

impl Compact {
    fn make(mut self, graph: &Graph, signature: &Signature) -> Result<Optimized> {
        for &feed in &signature.feeds {
            let placeholder = placeholder(graph, feed)?;
            let node = self.nodes.len() as u32;
            self.outputs.insert(feed, Output { node, index: 0 });
            self.nodes.push(placeholder);
        }
        let needed = needed_nodes(graph, signature)?;
        for (at, &position) in needed.iter().enumerate() {
            self.positions.insert(position, (signature.feeds.len() + at) as u32);
        }
        for &position in &needed {
            let mut node = graph.nodes()[position as usize].clone();
            node.inputs = node.inputs.iter().map(|&input| self.output(input)).collect();
            node.control_inputs =
                node.control_inputs.iter().filter_map(|before| self.positions.get(before)).copied().collect();
            self.nodes.push(node);
        }
        let fetches: Vec<Output> = signature.fetches.iter().map(|&fetch| self.output(fetch)).collect();
        let graph = with_nodes(graph, self.nodes);
        Ok(Optimized { fetches: fetches.iter().map(|&fetch| graph.output_name(fetch)).collect(), graph })
    }

    fn output(&self, old: Output) -> Output {
        let moved = || Output { node: self.positions.get(&old.node).copied().unwrap_or_default(), ..old };
        self.outputs.get(&old).copied().unwrap_or_else(moved)
    }
}

/// The node that stands for a value that is fed.
fn placeholder(graph: &Graph, feed: Output) -> Result<Node> {
    let node = &graph.nodes()[feed.node as usize];
    if node.known().is_placeholder() {
        return Ok(node.clone());
    }
    let name = graph.output_name(feed).replace(':', "_");
    let (dtype, shape) = (node.info().output_dtypes[feed.index as usize], graph.shape(feed));
    let attrs = [("dtype", AttrValue::Type(dtype)), ("shape", AttrValue::Shape(shape.clone()))];
    let info: NodeInfo =
        node_from_attrs(graph.registry().op(KnownOp::Placeholder.name())?, name, node.device(), attrs)?;
    let placeholder = Node {
        known: KnownOp::Placeholder,
        info: Arc::new(info),
        inputs: Vec::new(),
        control_inputs: Vec::new(),
        output_shapes: vec![shape],
        handle_shapes: Vec::new(),
        provenance: Provenance::default(),
        origin: None,
    };
    Ok(placeholder)
}

/// A graph like another one with these nodes.
fn with_nodes(like: &Graph, nodes: Vec<Node>) -> Graph {
    let mut graph = like.copy_nodes();
    graph.names = crate::names::UniqueNames::default();
    graph.index = nodes.iter().enumerate().map(|(at, node)| (node.name().to_owned(), at as u32)).collect();
    nodes.iter().for_each(|node| graph.names.mark(node.name()));
    graph.nodes = nodes;
    graph
}
