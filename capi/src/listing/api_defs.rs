//! Documentation of ops by name, of which there is none here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_ApiDefMap, TF_Buffer};
use oplink_api::Result;
use oplink_host::c_api;

use crate::support::unimplemented;

fn none<T>(function: &str) -> Result<T> {
    unimplemented(function, "there are no ApiDefs here; an op's documentation is in its OpDef")
}

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_NewApiDefMap(_op_list_buffer: *mut TF_Buffer; status) -> (*mut TF_ApiDefMap = ptr::null_mut()) {
        none(NAME)
    }
}

/// Nothing: there are no maps to delete.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DeleteApiDefMap(_apimap: *mut TF_ApiDefMap) {}

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ApiDefMapPut(_api_def_map: *mut TF_ApiDefMap, _text: *const c_char, _text_len: usize; status) {
        none(NAME)
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ApiDefMapGet(
        _api_def_map: *mut TF_ApiDefMap,
        _name: *const c_char,
        _name_len: usize;
        status
    ) -> (*mut TF_Buffer = ptr::null_mut()) {
        none(NAME)
    }
}
