//! Functions that reach into TensorFlow's own Python and C++, for which there is nothing here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};

use oplink_abi::{TF_Buffer, TF_Graph, TF_Operation, TF_Output};
use oplink_host::c_api;

use crate::support::unimplemented;

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_SetAttr(
        _graph: *mut TF_Graph,
        _op: *mut TF_Operation,
        _attr_name: *const c_char,
        _attr_value_proto: *mut TF_Buffer;
        status
    ) {
        unimplemented(NAME, "an operation's attrs are fixed once it is finished")
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_ClearAttr(_graph: *mut TF_Graph, _op: *mut TF_Operation, _attr_name: *const c_char; status) {
        unimplemented(NAME, "an operation's attrs are fixed once it is finished")
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_SetHandleShapeAndType(
        _graph: *mut TF_Graph,
        _output: TF_Output,
        _proto: *const c_void,
        _proto_len: usize;
        status
    ) {
        unimplemented(NAME, "what a handle refers to is inferred, and cannot be told")
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_AddWhileInputHack(_graph: *mut TF_Graph, _new_src: TF_Output, _dst: *mut TF_Operation; status) {
        unimplemented(NAME, "an operation's inputs are fixed in number once it is finished")
    }

    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_RegisterFilesystemPlugin(_plugin_filename: *const c_char; status) {
        unimplemented(NAME, "files are those of the system")
    }
}
