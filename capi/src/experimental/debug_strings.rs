//! Graphs and functions as text, in memory of `malloc`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_Function, TF_Graph};
use oplink_api::Error;
use oplink_graph::function_text;
use oplink_host::buffer::malloced_text;
use oplink_host::c_api;
use oplink_host::guard::borrow_mut;
use oplink_proto::GraphDef;

use crate::functions::ClientFunction;
use crate::graph::graph_of;

c_api! {
    /// The graph in protobuf's text format, and its length; null where an argument is null.
    ///
    /// # Safety
    /// The handle is null or alive; `len` is null or a slot.
    fn TF_GraphDebugString(graph: *mut TF_Graph => graph_of, len: *mut usize => borrow_mut)
        -> (*const c_char = ptr::null())
    {
        let def = graph.lock().graph.to_def()?;
        let def = GraphDef { library: Some(def.library.unwrap_or_default()), ..def };
        let text = oplink_proto::to_text(&def).map_err(|error| Error::internal(error.to_string()))?;
        *len = text.len();
        Ok(malloced_text(&text).cast_const())
    }

    /// The function as a text for readers, and its length; null where an argument is null.
    ///
    /// # Safety
    /// The handle is null or alive; `len` is null or a slot.
    fn TF_FunctionDebugString(
        func: *mut TF_Function => { ClientFunction::borrow(func, NAME, "func") },
        len: *mut usize => borrow_mut
    ) -> (*mut c_char = ptr::null_mut()) {
        let text = function_text(&func.def);
        *len = text.len();
        Ok(malloced_text(&text))
    }
}
