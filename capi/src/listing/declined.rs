//! Functions that reach into TensorFlow's own Python and C++, for which there is nothing here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};

use oplink_abi::{TF_Buffer, TF_Graph, TF_Operation, TF_Output, TF_Status, TFE_Context};
use oplink_host::guard::with_status;

use crate::support::unimplemented;

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttr(
    _graph: *mut TF_Graph,
    _op: *mut TF_Operation,
    _attr_name: *const c_char,
    _attr_value_proto: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    with_status(status, "TF_SetAttr", (), || {
        unimplemented("TF_SetAttr", "an operation's attrs are fixed once it is finished")
    });
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ClearAttr(
    _graph: *mut TF_Graph,
    _op: *mut TF_Operation,
    _attr_name: *const c_char,
    status: *mut TF_Status,
) {
    with_status(status, "TF_ClearAttr", (), || {
        unimplemented("TF_ClearAttr", "an operation's attrs are fixed once it is finished")
    });
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetHandleShapeAndType(
    _graph: *mut TF_Graph,
    _output: TF_Output,
    _proto: *const c_void,
    _proto_len: usize,
    status: *mut TF_Status,
) {
    with_status(status, "TF_SetHandleShapeAndType", (), || {
        unimplemented("TF_SetHandleShapeAndType", "what a handle refers to is inferred, and cannot be told")
    });
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddWhileInputHack(
    _graph: *mut TF_Graph,
    _new_src: TF_Output,
    _dst: *mut TF_Operation,
    status: *mut TF_Status,
) {
    with_status(status, "TF_AddWhileInputHack", (), || {
        unimplemented("TF_AddWhileInputHack", "an operation's inputs are fixed in number once it is finished")
    });
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RegisterFilesystemPlugin(_plugin_filename: *const c_char, status: *mut TF_Status) {
    with_status(status, "TF_RegisterFilesystemPlugin", (), || {
        unimplemented("TF_RegisterFilesystemPlugin", "files are those of the system")
    });
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextSetServerDef(
    _ctx: *mut TFE_Context,
    _keep_alive_secs: c_int,
    _proto: *const c_void,
    _proto_len: usize,
    status: *mut TF_Status,
) {
    with_status(status, "TFE_ContextSetServerDef", (), || {
        unimplemented("TFE_ContextSetServerDef", "ops run in this process; there are no servers")
    });
}
