//! The declarations of the ops that a graph uses, which readers of other versions compare with their own.

use std::collections::BTreeSet;

use oplink_graph::{Graph, Node};
use oplink_proto::{OpDef, spec_to_op_def};

/// The ops of the graph's nodes and of its functions' bodies, in the order of their names.
pub(super) fn used(graph: &Graph) -> Vec<OpDef> {
    let functions = graph.library().into_iter().flat_map(|library| &library.function);
    let in_functions = functions.flat_map(|function| &function.node_def).map(|node| node.op.as_str());
    let names: BTreeSet<&str> = graph.nodes().iter().map(Node::op_name).chain(in_functions).collect();
    let declared = names.into_iter().filter_map(|name| graph.registry().get_op(name));
    declared.map(|op| spec_to_op_def(&op.spec)).collect()
}
