//! Gradients of a graph's tensors.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Graph, TF_Output, TF_Status};
use oplink_api::Result;
use oplink_host::guard::with_status;

use crate::support::unimplemented;

fn none(function: &str) -> Result<()> {
    unimplemented(
        function,
        "this library adds no gradients to graphs; import a graph that was built with its gradients",
    )
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddGradients(
    _g: *mut TF_Graph,
    _y: *mut TF_Output,
    _ny: c_int,
    _x: *mut TF_Output,
    _nx: c_int,
    _dx: *mut TF_Output,
    status: *mut TF_Status,
    _dy: *mut TF_Output,
) {
    with_status(status, "TF_AddGradients", (), || none("TF_AddGradients"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddGradientsWithPrefix(
    _g: *mut TF_Graph,
    _prefix: *const c_char,
    _y: *mut TF_Output,
    _ny: c_int,
    _x: *mut TF_Output,
    _nx: c_int,
    _dx: *mut TF_Output,
    status: *mut TF_Status,
    _dy: *mut TF_Output,
) {
    with_status(status, "TF_AddGradientsWithPrefix", (), || none("TF_AddGradientsWithPrefix"));
}
