//! The nodes that a run needs, in an order in which each comes after those it waits for.
//!
//! A node is visited right before the first that reads it, so that values live for a short time.

use oplink_api::{Code, Error, ErrorKind, Output, Result};

use super::Signature;
use crate::Graph;
use crate::graph::{Feeds, Node, NodeSet};

/// The positions of the needed nodes.
///
/// # Errors
/// Placeholders that are needed and not fed; the error names each.
pub(crate) fn needed_nodes(graph: &Graph, signature: &Signature) -> Result<Vec<u32>> {
    let mut walk = Walk {
        graph,
        feeds: &signature.feeds,
        fed_nodes: signature.feeds.iter().map(|feed| feed.node).collect(),
        state: vec![State::Unseen; graph.nodes().len()],
        order: Vec::new(),
        unfed: Vec::new(),
    };
    let fetched = signature.fetches.iter().filter(|fetch| !signature.feeds.contains(fetch)).map(|fetch| fetch.node);
    fetched.chain(signature.targets.iter().copied()).for_each(|node| walk.visit(node));
    if walk.unfed.is_empty() { Ok(walk.order) } else { Err(unfed(graph, &walk.unfed)) }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unseen,
    Waiting,
    Done,
}

struct Walk<'a> {
    graph: &'a Graph,
    feeds: &'a Feeds,
    fed_nodes: NodeSet,
    state: Vec<State>,
    order: Vec<u32>,
    unfed: Vec<u32>,
}

impl Walk<'_> {
    /// Depth first; a node is done after all that it waits for.
    fn visit(&mut self, root: u32) {
        let mut pending = vec![root];
        while let Some(&position) = pending.last() {
            let node = &self.graph.nodes()[position as usize];
            match self.state[position as usize] {
                State::Unseen => {
                    self.state[position as usize] = State::Waiting;
                    let from = pending.len();
                    let data = node.inputs().iter().filter(|input| !self.is_fed(input)).map(|input| input.node);
                    let control = node.control_inputs().iter().copied().filter(|&node| !self.is_fed_placeholder(node));
                    pending.extend(data.chain(control).filter(|&node| self.state[node as usize] == State::Unseen));
                    pending[from..].reverse();
                }
                State::Waiting => {
                    self.finish(position, node);
                    pending.pop();
                }
                State::Done => {
                    pending.pop();
                }
            }
        }
    }

    fn finish(&mut self, position: u32, node: &Node) {
        self.state[position as usize] = State::Done;
        if !node.known().is_placeholder() {
            self.order.push(position);
        } else if !self.is_fed_placeholder(position) {
            self.unfed.push(position);
        }
    }

    fn is_fed(&self, output: &Output) -> bool {
        self.fed_nodes.contains(output.node) && self.feeds.contains(output)
    }

    fn is_fed_placeholder(&self, position: u32) -> bool {
        self.fed_nodes.contains(position) && self.graph.nodes()[position as usize].known().is_placeholder()
    }
}

#[cold]
fn unfed(graph: &Graph, placeholders: &[u32]) -> Error {
    let each = placeholders.iter().map(|&node| {
        let output = Output { node, index: 0 };
        let dtype = graph.dtype(output).map_or("?", oplink_api::DType::name);
        format!("`{}` ({dtype} {})", graph.output_name(output), graph.shape(output))
    });
    let (verb, each) = (if placeholders.len() == 1 { "placeholder" } else { "placeholders" }, each.collect::<Vec<_>>());
    let message = format!("the {verb} {} must be fed", each.join(", "));
    Error::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message)
}
