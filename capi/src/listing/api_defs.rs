//! Documentation of ops by name, of which there is none here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_ApiDefMap, TF_Buffer, TF_Status};
use oplink_api::Result;
use oplink_host::guard::with_status;

use crate::support::unimplemented;

fn none<T>(function: &str) -> Result<T> {
    unimplemented(function, "there are no ApiDefs here; an op's documentation is in its OpDef")
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewApiDefMap(_op_list_buffer: *mut TF_Buffer, status: *mut TF_Status) -> *mut TF_ApiDefMap {
    with_status(status, "TF_NewApiDefMap", ptr::null_mut(), || none("TF_NewApiDefMap"))
}

/// Nothing: there are no maps to delete.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DeleteApiDefMap(_apimap: *mut TF_ApiDefMap) {}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ApiDefMapPut(
    _api_def_map: *mut TF_ApiDefMap,
    _text: *const c_char,
    _text_len: usize,
    status: *mut TF_Status,
) {
    with_status(status, "TF_ApiDefMapPut", (), || none("TF_ApiDefMapPut"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ApiDefMapGet(
    _api_def_map: *mut TF_ApiDefMap,
    _name: *const c_char,
    _name_len: usize,
    status: *mut TF_Status,
) -> *mut TF_Buffer {
    with_status(status, "TF_ApiDefMapGet", ptr::null_mut(), || none("TF_ApiDefMapGet"))
}
