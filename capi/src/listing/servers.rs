//! Servers of a cluster, of which there are none here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;

use oplink_abi::{TF_Server, TF_Status};
use oplink_api::Result;
use oplink_host::guard::with_status;

use crate::support::unimplemented;

fn none<T>(function: &str) -> Result<T> {
    unimplemented(function, "sessions run in this process; there are no servers")
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewServer(
    _proto: *const c_void,
    _proto_len: usize,
    status: *mut TF_Status,
) -> *mut TF_Server {
    with_status(status, "TF_NewServer", ptr::null_mut(), || none("TF_NewServer"))
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ServerStart(_server: *mut TF_Server, status: *mut TF_Status) {
    with_status(status, "TF_ServerStart", (), || none("TF_ServerStart"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ServerStop(_server: *mut TF_Server, status: *mut TF_Status) {
    with_status(status, "TF_ServerStop", (), || none("TF_ServerStop"));
}

/// Unimplemented.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ServerJoin(_server: *mut TF_Server, status: *mut TF_Status) {
    with_status(status, "TF_ServerJoin", (), || none("TF_ServerJoin"));
}

/// Empty: there are no servers.
#[unsafe(no_mangle)]
pub extern "C" fn TF_ServerTarget(_server: *mut TF_Server) -> *const c_char {
    c"".as_ptr()
}

/// Nothing: there are no servers to delete.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DeleteServer(_server: *mut TF_Server) {}
