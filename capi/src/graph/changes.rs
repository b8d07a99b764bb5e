//! Changes to operations that stand.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::{TF_Graph, TF_Input, TF_Operation, TF_Output, TF_Status};
use oplink_api::{Error, Result};
use oplink_host::guard::{with_status, without_status};

use super::{GraphState, graph_of};

impl GraphState {
    /// As [`GraphState::change`], where edges move.
    fn move_edges(&self, change: impl FnOnce(&mut oplink_graph::Graph) -> Result<()>) -> Result<()> {
        let changed = self.change(change);
        self.lock().consumers.clear();
        changed
    }
}

/// Makes an input come from another output. Sessions that ran with the old edge keep it.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_UpdateEdge(
    graph: *mut TF_Graph,
    new_src: TF_Output,
    dst: TF_Input,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_UpdateEdge";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: the caller's contract.
        let (source, node) = unsafe { (graph.output(new_src, NAME, "new_src")?, graph.node(dst.oper, NAME, "dst")?) };
        let index = usize::try_from(dst.index);
        let index = index.map_err(|_| Error::out_of_range(format!("{NAME}: `dst.index` is {}", dst.index)))?;
        graph.move_edges(|graph| graph.set_input(node, index, source))
    });
}

/// Makes an operation wait for another; nothing where that would close a cycle.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddOperationControlInput(
    graph: *mut TF_Graph,
    op: *mut TF_Operation,
    input: *mut TF_Operation,
) {
    const NAME: &str = "TF_AddOperationControlInput";
    without_status(Ok(()), || {
        // SAFETY: the caller's contract.
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: the caller's contract.
        let (node, before) = unsafe { (graph.node(op, NAME, "op")?, graph.node(input, NAME, "input")?) };
        graph.move_edges(|graph| graph.add_control_input(node, before))
    })
    .unwrap_or_default();
}

/// Takes all control inputs from an operation.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RemoveAllControlInputs(graph: *mut TF_Graph, op: *mut TF_Operation) {
    const NAME: &str = "TF_RemoveAllControlInputs";
    without_status(Ok(()), || {
        // SAFETY: the caller's contract.
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: the caller's contract.
        let node = unsafe { graph.node(op, NAME, "op") }?;
        graph.move_edges(|graph| graph.clear_control_inputs(node))
    })
    .unwrap_or_default();
}
