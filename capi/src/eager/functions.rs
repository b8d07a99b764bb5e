//! Functions of eager contexts, of which there are none here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar};

use oplink_abi::{TF_Function, TF_Status, TFE_Context};
use oplink_api::{Error, Result};
use oplink_host::guard::with_status;

#[cold]
fn unimplemented(function: &str) -> Result<()> {
    Err(Error::unimplemented(format!("{function}: eager contexts have no functions; call them in a graph")))
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextAddFunctionDef(
    _ctx: *mut TFE_Context,
    _serialized_function_def: *const c_char,
    _size: usize,
    status: *mut TF_Status,
) {
    with_status(status, "TFE_ContextAddFunctionDef", (), || unimplemented("TFE_ContextAddFunctionDef"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextAddFunction(
    _ctx: *mut TFE_Context,
    _function: *mut TF_Function,
    status: *mut TF_Status,
) {
    with_status(status, "TFE_ContextAddFunction", (), || unimplemented("TFE_ContextAddFunction"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextRemoveFunction(
    _ctx: *mut TFE_Context,
    _name: *const c_char,
    status: *mut TF_Status,
) {
    with_status(status, "TFE_ContextRemoveFunction", (), || unimplemented("TFE_ContextRemoveFunction"));
}

/// 0: there are no functions.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_ContextHasFunction(_ctx: *mut TFE_Context, _name: *const c_char) -> c_uchar {
    0
}
