//! A graph's operations, its message, its ops and versions.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Graph, TF_Operation, TF_Status};
use oplink_host::guard::{text, with_status, without_status};
use oplink_proto::{GraphDef, VersionDef};

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
        // SAFETY: the caller's contract.
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
        // SAFETY: the caller's contract.
        let (Ok(graph), Some(position)) = (unsafe { graph_of(graph, NAME, "graph") }, unsafe { pos.as_mut() }) else {
            return ptr::null_mut();
        };
        let operation = u32::try_from(*position).map_or(ptr::null_mut(), |at| graph.operation(at));
        *position = position.saturating_add(usize::from(!operation.is_null()));
        operation
    })
}

/// The graph as a serialized `GraphDef`.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphToGraphDef(
    graph: *mut TF_Graph,
    output_graph_def: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GraphToGraphDef";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        let def = graph.lock().graph.to_def()?;
        let def = GraphDef { library: Some(def.library.unwrap_or_default()), ..def };
        // SAFETY: the caller's contract.
        unsafe { fill(output_graph_def, &oplink_proto::to_bytes(&def), NAME, "output_graph_def") }
    });
}

/// The declaration of an op, or of a function of the graph, as a serialized `OpDef`.
///
/// # Safety
/// The handles are null or alive; `op_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphGetOpDef(
    graph: *mut TF_Graph,
    op_name: *const c_char,
    output_op_def: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GraphGetOpDef";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (graph, name) = unsafe { (graph_of(graph, NAME, "graph")?, text(op_name, NAME, "op_name")?) };
        graph.change(|_| Ok(()))?;
        let def = op_def_of(graph.lock().graph.op(name)?)?;
        // SAFETY: the caller's contract.
        unsafe { fill(output_op_def, &oplink_proto::to_bytes(&def), NAME, "output_op_def") }
    });
}

/// The graph's versions as a serialized `VersionDef`.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphVersions(
    graph: *mut TF_Graph,
    output_version_def: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GraphVersions";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let graph = unsafe { graph_of(graph, NAME, "graph") }?;
        let versions: VersionDef = graph.lock().graph.versions();
        // SAFETY: the caller's contract.
        unsafe { fill(output_version_def, &oplink_proto::to_bytes(&versions), NAME, "output_version_def") }
    });
}
