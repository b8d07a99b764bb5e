//! The functions of a graph.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Function, TF_Graph, TF_Status};
use oplink_host::guard::{slice_mut, text, with_status, without_status};

use super::ClientFunction;
use crate::graph::graph_of;
use crate::support::c_count;

/// Puts a function into a graph, and the function that is its gradient where there is one.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphCopyFunction(
    g: *mut TF_Graph,
    func: *const TF_Function,
    grad: *const TF_Function,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GraphCopyFunction";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (graph, function) = unsafe { (graph_of(g, NAME, "g")?, ClientFunction::borrow(func, NAME, "func")?) };
        let gradient = match grad.is_null() {
            true => None,
            // SAFETY: the caller's contract.
            false => Some(unsafe { ClientFunction::borrow(grad, NAME, "grad") }?),
        };
        graph.change(|graph| match gradient {
            None => graph.add_function(&function.def),
            Some(gradient) => graph.add_function_with_gradient(&function.def, &gradient.def),
        })
    });
}

/// The number of functions of a graph; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphNumFunctions(g: *mut TF_Graph) -> c_int {
    // SAFETY: the caller's contract.
    let graph = unsafe { graph_of(g, "TF_GraphNumFunctions", "g") };
    without_status(0, || graph.map_or(0, |graph| c_count(graph.lock().graph.function_names().count())))
}

/// Copies of the functions of a graph, as many as fit, which the client deletes; how many there are.
///
/// # Safety
/// The handles are null or alive; `funcs` has `max_func` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphGetFunctions(
    g: *mut TF_Graph,
    funcs: *mut *mut TF_Function,
    max_func: c_int,
    status: *mut TF_Status,
) -> c_int {
    const NAME: &str = "TF_GraphGetFunctions";
    with_status(status, NAME, -1, || {
        // SAFETY: the caller's contract.
        let (graph, slots) = unsafe { (graph_of(g, NAME, "g")?, slice_mut(funcs, max_func, NAME, "funcs")?) };
        let inner = graph.lock();
        let defs = inner.graph.library().map_or(&[][..], |library| &library.function);
        for (slot, def) in slots.iter_mut().zip(defs) {
            *slot = ClientFunction::new(def.clone()).into_handle();
        }
        Ok(c_count(slots.len().min(defs.len())))
    })
}

/// Takes a function out of a graph.
///
/// # Safety
/// The handles are null or alive; `func_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphRemoveFunction(g: *mut TF_Graph, func_name: *const c_char, status: *mut TF_Status) {
    const NAME: &str = "TF_GraphRemoveFunction";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (graph, name) = unsafe { (graph_of(g, NAME, "g")?, text(func_name, NAME, "func_name")?) };
        graph.change(|graph| graph.remove_function(name))
    });
}
