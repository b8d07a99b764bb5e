//! Changes to operations that stand.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Input, TF_Operation, TF_Output};
use oplink_api::{Error, Result};
use oplink_graph::attr_from_proto;
use oplink_host::buffer::bytes;
use oplink_host::c_api;
use oplink_host::guard::{borrow, text, without_status};

use super::{GraphState, graph_of};
use crate::support::{MAX_CONSTANT_BYTES, decode, message};

impl GraphState {
    /// As [`GraphState::change`], where edges move.
    fn move_edges(&self, change: impl FnOnce(&mut oplink_graph::Graph) -> Result<()>) -> Result<()> {
        let changed = self.change(change);
        self.lock().consumers.clear();
        changed
    }
}

c_api! {
    /// Makes an input come from another output. Sessions that ran with the old edge keep it.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_UpdateEdge(graph: *mut TF_Graph => graph_of, new_src: TF_Output, dst: TF_Input; status) {
        // SAFETY: `new_src.oper` is null or alive and `dst.oper` is null or alive (Safety section).
        let (source, node) = unsafe { (graph.output(new_src, NAME, "new_src")?, graph.node(dst.oper, NAME, "dst")?) };
        let index = usize::try_from(dst.index);
        let index = index.map_err(|_| Error::out_of_range(format!("{NAME}: `dst.index` is {}", dst.index)))?;
        graph.move_edges(|graph| graph.set_input(node, index, source))
    }
}

c_api! {
    /// Sets an attr of an operation that stands from a serialized `AttrValue`: one that its op has, with a value that
    /// leaves the dtypes of its inputs and outputs as they are, or one whose name starts with `_`. Sessions that ran
    /// keep the old one.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; the buffer holds as many bytes as it
    /// says.
    fn TF_SetAttr(
        graph: *mut TF_Graph => graph_of,
        op: *mut TF_Operation,
        attr_name as name: *const c_char => text,
        attr_value_proto as value: *mut TF_Buffer => { bytes(attr_value_proto, NAME, "attr_value_proto") };
        status
    ) {
        // SAFETY: `op` is null or alive (Safety section).
        let node = unsafe { graph.node(op, NAME, "op") }?;
        let value = attr_from_proto(&decode(value, NAME, "attr_value_proto")?, MAX_CONSTANT_BYTES)?;
        graph.change_attrs(node, |graph| graph.set_attr(node, name, value))
    }

    /// Takes an attr from an operation that stands; one that its op declares is its default from then on.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_ClearAttr(
        graph: *mut TF_Graph => graph_of,
        op: *mut TF_Operation,
        attr_name as name: *const c_char => text;
        status
    ) {
        // SAFETY: `op` is null or alive (Safety section).
        let node = unsafe { graph.node(op, NAME, "op") }?;
        graph.change_attrs(node, |graph| graph.clear_attr(node, name))
    }
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
        // SAFETY: `graph` is null or alive (Safety section).
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: `graph` is null or alive, `op` is null or alive and `input` is null or alive (Safety section).
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
        // SAFETY: `graph` is null or alive (Safety section).
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        // SAFETY: `graph` is null or alive and `op` is null or alive (Safety section).
        let node = unsafe { graph.node(op, NAME, "op") }?;
        graph.move_edges(|graph| graph.clear_control_inputs(node))
    })
    .unwrap_or_default();
}

/// Asks for a device for an operation that stands; nothing where an argument is wrong. Sessions that ran keep the old
/// one.
///
/// # Safety
/// The handles are null or alive; `device` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetRequestedDevice(graph: *mut TF_Graph, op: *mut TF_Operation, device: *const c_char) {
    const NAME: &str = "TF_SetRequestedDevice";
    without_status(Ok(()), || {
        // SAFETY: `graph` is null or alive and `device` is null or a terminated string (Safety section).
        let (graph, device) = unsafe { (graph_of(graph, NAME, "graph")?, text(device, NAME, "device")?) };
        // SAFETY: `graph` is null or alive and `op` is null or alive (Safety section).
        let node = unsafe { graph.node(op, NAME, "op") }?;
        graph.change(|graph| graph.set_device(node, device))
    })
    .unwrap_or_default();
}

/// Sets the full type of an operation from a serialized `FullTypeDef`; nothing where an argument is wrong.
///
/// # Safety
/// The handles are null or alive; the buffer holds as many bytes as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetFullType(
    graph: *mut TF_Graph,
    op: *mut TF_Operation,
    full_type_proto: *const TF_Buffer,
) {
    const NAME: &str = "TF_SetFullType";
    without_status(Ok(()), || {
        // SAFETY: `graph` is null or alive and `full_type_proto` is null or alive (Safety section).
        let (graph, buffer) =
            unsafe { (graph_of(graph, NAME, "graph")?, borrow(full_type_proto, NAME, "full_type_proto")?) };
        // SAFETY: `graph` is null or alive and `op` is null or alive (Safety section).
        let node = unsafe { graph.node(op, NAME, "op") }?;
        // SAFETY: `full_type_proto` is null or alive (Safety section).
        let full_type = unsafe { message(buffer.data, buffer.length, NAME, "full_type_proto") }?;
        graph.change(|graph| graph.set_full_type(node, full_type))
    })
    .unwrap_or_default();
}

/// Whether operations of ops without a shape function are refused from now on; at first they are not.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetRequireShapeInferenceFns(graph: *mut TF_Graph, require: bool) {
    // SAFETY: `graph` is null or alive (Safety section).
    if let Ok(graph) = unsafe { graph_of(graph, "TF_SetRequireShapeInferenceFns", "graph") } {
        graph.require_shape_fns(require);
    }
}
