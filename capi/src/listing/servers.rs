//! Servers of a cluster, of which there are none here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;

use oplink_abi::TF_Server;
use oplink_api::Result;
use oplink_host::c_api;

use crate::support::unimplemented;

fn none<T>(function: &str) -> Result<T> {
    unimplemented(function, "sessions run in this process; there are no servers")
}

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_NewServer(_proto: *const c_void, _proto_len: usize; status) -> (*mut TF_Server = ptr::null_mut()) {
        none(NAME)
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ServerStart(_server: *mut TF_Server; status) {
        none(NAME)
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ServerStop(_server: *mut TF_Server; status) {
        none(NAME)
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ServerJoin(_server: *mut TF_Server; status) {
        none(NAME)
    }
}

/// Empty: there are no servers.
#[unsafe(no_mangle)]
pub extern "C" fn TF_ServerTarget(_server: *mut TF_Server) -> *const c_char {
    c"".as_ptr()
}

/// Nothing: there are no servers to delete.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DeleteServer(_server: *mut TF_Server) {}
