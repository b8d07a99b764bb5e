//! A graph's operations, its message, its ops and versions.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Operation};
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_proto::{GraphDef, VersionDef, spec_to_op_def};

use super::graph_of;
use crate::listing::op_def_of;
use crate::support::fill;

/// The operation of a name; null where there is none.
///
/// # Safety
/// The handle is null or alive; `oper_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphOperationByName(graph: *mut TF_Graph, oper_name: *const c_char) -> *mut TF_Operation {
    const NAME: &str = "TF_GraphOperationByName";
    without_status(ptr::null_mut(), || {
        // SAFETY: `graph` is null or alive and `oper_name` is null or a terminated string (Safety section).
        let found =
            unsafe { graph_of(graph, NAME, "graph").and_then(|g| Ok((g, text(oper_name, NAME, "oper_name")?))) };
        found.map_or(ptr::null_mut(), |(graph, name)| {
            let inner = graph.lock();
            inner.graph.position(name).map_or(ptr::null_mut(), |position| inner.operation(position))
        })
    })
}

/// The operation at `*pos`, which then counts on; null at the end. Begin at 0.
///
/// # Safety
/// The handle is null or alive; `pos` is null or a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphNextOperation(graph: *mut TF_Graph, pos: *mut usize) -> *mut TF_Operation {
    const NAME: &str = "TF_GraphNextOperation";
    without_status(ptr::null_mut(), || {
        // SAFETY: `graph` is null or alive (Safety section).
        let (Ok(graph), Some(position)) = (unsafe { graph_of(graph, NAME, "graph") }, unsafe { pos.as_mut() }) else {
            return ptr::null_mut();
        };
        let operation = u32::try_from(*position).map_or(ptr::null_mut(), |at| graph.operation(at));
        *position = position.saturating_add(usize::from(!operation.is_null()));
        operation
    })
}

c_api! {
    /// The graph as a serialized `GraphDef`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphToGraphDef(graph: *mut TF_Graph => graph_of, output_graph_def: *mut TF_Buffer; status) {
        let def = graph.lock().graph.to_def()?;
        let def = GraphDef { library: Some(def.library.unwrap_or_default()), ..def };
        // SAFETY: `output_graph_def` is null or alive (Safety section).
        unsafe { fill(output_graph_def, &oplink_proto::to_bytes(&def), NAME, "output_graph_def") }
    }

    /// The declaration of an op, or of a function of the graph, as a serialized `OpDef`.
    ///
    /// # Safety
    /// The handles are null or alive; `op_name` is null or a terminated string.
    fn TF_GraphGetOpDef(
        graph: *mut TF_Graph => graph_of,
        op_name as name: *const c_char => text,
        output_op_def: *mut TF_Buffer;
        status
    ) {
        graph.change(|_| Ok(()))?;
        let inner = graph.lock();
        let def = match inner.graph.registry().get_op(name) {
            Some(op) => spec_to_op_def(&op.spec),
            None => op_def_of(inner.graph.op(name)?)?,
        };
        // SAFETY: `output_op_def` is null or alive (Safety section).
        unsafe { fill(output_op_def, &oplink_proto::to_bytes(&def), NAME, "output_op_def") }
    }

    /// The graph's versions as a serialized `VersionDef`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphVersions(graph: *mut TF_Graph => graph_of, output_version_def: *mut TF_Buffer; status) {
        let versions: VersionDef = graph.lock().graph.versions();
        // SAFETY: `output_version_def` is null or alive (Safety section).
        unsafe { fill(output_version_def, &oplink_proto::to_bytes(&versions), NAME, "output_version_def") }
    }
}
