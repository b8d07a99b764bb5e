//! What a node's output is before anything runs: a constant, its input, or a reference.

use oplink_api::{AttrValue, Output, Tensor};

use super::{Feeds, Graph, Node};
use crate::known_ops::KnownOp;

/// The value of a constant.
pub(crate) fn constant_of(node: &Node) -> Option<&Tensor> {
    match node.info().attrs.get("value") {
        Some(AttrValue::Tensor(value)) if node.known() == KnownOp::Const => Some(value),
        _ => None,
    }
}

/// The input of a node that forwards it as its output: not one that reads a reference.
pub(crate) fn forwarded_input(graph: &Graph, node: &Node, feeds: &Feeds) -> Option<Output> {
    match node.inputs() {
        [input] if node.known().is_identity() && (feeds.contains(input) || !is_reference(graph, *input)) => {
            Some(*input)
        }
        _ => None,
    }
}

/// Whether an output of the graph is a reference: at run time a handle of a variable.
pub(crate) fn is_reference(graph: &Graph, output: Output) -> bool {
    graph.node(output.node).is_some_and(|node| node.info().is_ref_output(output.index as usize))
}
