//! The part of a graph that some of its outputs need, up to a border.

use std::collections::HashSet;

use oplink_api::Output;

use crate::Graph;
use crate::graph::NodeSet;

/// What a walk back from outputs does at a node.
pub(super) enum Visit {
    /// Goes on to what the node needs.
    Inside,
    /// The node is not part of it.
    Border,
}

/// The nodes that outputs need, by data and by order, up to those at which `visit` stops, which is told how the walk
/// came to a node: by which output, or by the order alone. Positions ascend.
pub(super) fn part(graph: &Graph, of: &[Output], mut visit: impl FnMut(u32, Option<u32>) -> Visit) -> Vec<u32> {
    let mut inside = NodeSet::default();
    let mut seen = HashSet::new();
    let mut pending: Vec<(u32, Option<u32>)> = of.iter().map(|output| (output.node, Some(output.index))).collect();
    while let Some((position, index)) = pending.pop() {
        if !seen.insert((position, index)) || matches!(visit(position, index), Visit::Border) {
            continue;
        }
        if inside.insert(position, ()).is_none() {
            let node = &graph.nodes()[position as usize];
            pending.extend(node.inputs().iter().map(|input| (input.node, Some(input.index))));
            pending.extend(node.control_inputs().iter().map(|&control| (control, None)));
        }
    }
    (0..graph.nodes().len() as u32).filter(|&position| inside.contains(position)).collect()
}
