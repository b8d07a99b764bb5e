//! Functions that reach into TensorFlow's own Python and C++, for which there is nothing here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;

use oplink_abi::{TF_Graph, TF_Operation, TF_Output};
use oplink_host::c_api;

use crate::support::unimplemented;

c_api! {
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
