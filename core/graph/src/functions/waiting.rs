//! Which functions may wait: those with a node whose kernel finishes after it was started, as one of a plugin may, or
//! that call one that has such a node.

use oplink_api::NodeInfo;
use oplink_api::descriptors::KernelFunction;
use oplink_core::OpEntry;

use super::stateful::{calls_one_of, find_with_callers};
use crate::Graph;
use crate::library::ARE_LINKED;

/// Whether the node calls a function of the graph's library that may wait, as its op or by an attr.
pub(crate) fn calls_waiting_function(graph: &Graph, info: &NodeInfo) -> bool {
    if !ARE_LINKED || graph.functions.library().is_none() {
        return false;
    }
    let finishes_later = |op: &OpEntry| {
        let mut entries = graph.registry.kernels_of(op.name()).flat_map(|kernel| kernel.entries);
        entries.any(|entry| matches!(entry.function, KernelFunction::Async(_) | KernelFunction::Foreign(_)))
    };
    let waiting = graph.functions.found().waiting.get_or_init(|| find_with_callers(graph, finishes_later));
    calls_one_of(graph, info, waiting)
}
