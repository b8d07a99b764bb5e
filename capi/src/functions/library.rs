//! The functions of a graph.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Function, TF_Graph};
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};

use super::ClientFunction;
use crate::graph::graph_of;
use crate::support::c_count;

c_api! {
    /// Puts a function into a graph, and the function that is its gradient where there is one.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphCopyFunction(
        g as graph: *mut TF_Graph => graph_of,
        func as function: *const TF_Function => { ClientFunction::borrow(func, NAME, "func") },
        grad: *const TF_Function;
        status
    ) {
        let gradient = match grad.is_null() {
            true => None,
            // SAFETY: `grad` is null or alive (Safety section).
            false => Some(unsafe { ClientFunction::borrow(grad, NAME, "grad") }?),
        };
        graph.change(|graph| match gradient {
            None => graph.add_function(&function.def),
            Some(gradient) => graph.add_function_with_gradient(&function.def, &gradient.def),
        })
    }
}

/// The number of functions of a graph; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphNumFunctions(g: *mut TF_Graph) -> c_int {
    // SAFETY: `g` is null or alive (Safety section).
    let graph = unsafe { graph_of(g, "TF_GraphNumFunctions", "g") };
    without_status(0, || graph.map_or(0, |graph| c_count(graph.lock().graph.function_names().count())))
}

c_api! {
    /// Copies of the functions of a graph, as many as fit, which the client deletes; how many there are.
    ///
    /// # Safety
    /// The handles are null or alive; `funcs` has `max_func` slots.
    fn TF_GraphGetFunctions(
        g as graph: *mut TF_Graph => graph_of,
        funcs as slots: *mut *mut TF_Function => (mut [max_func]),
        max_func: c_int;
        status
    ) -> (c_int = -1) {
        let inner = graph.lock();
        let defs = inner.graph.library().map_or(&[][..], |library| &library.function);
        for (slot, def) in slots.iter_mut().zip(defs) {
            *slot = ClientFunction::new(def.clone()).into_handle();
        }
        Ok(c_count(slots.len().min(defs.len())))
    }

    /// Takes a function out of a graph.
    ///
    /// # Safety
    /// The handles are null or alive; `func_name` is null or a terminated string.
    fn TF_GraphRemoveFunction(g as graph: *mut TF_Graph => graph_of, func_name as name: *const c_char => text; status) {
        graph.change(|graph| graph.remove_function(name))
    }
}
