//! Ops that several processes compute together. There is one process here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};

use oplink_abi::TFE_Context;
use oplink_api::Error;
use oplink_host::c_api;
use oplink_host::guard::text;

use crate::eager::Context;
use crate::support::unimplemented;

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TFE_EnableCollectiveOps(_ctx: *mut TFE_Context, _proto: *const c_void, _proto_len: usize; status) {
        unimplemented(NAME, "ops run in this process; there are no other workers")
    }

    /// Ends what is under way of ops that processes compute together: nothing ever is.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_AbortCollectiveOps(_ctx: *mut TFE_Context => { Context::borrow(_ctx, NAME) }; status) {
        Ok(())
    }

    /// An error: there are no peers to ask.
    ///
    /// # Safety
    /// The handles are null or alive; `task` is null or a terminated string.
    fn TFE_CollectiveOpsCheckPeerHealth(
        _ctx: *mut TFE_Context => { Context::borrow(_ctx, NAME) },
        task: *const c_char => text,
        _timeout_in_ms: i64;
        status
    ) {
        Err(Error::internal(format!("{NAME}: `{}` is no peer: ops run in this process", task.escape_debug())))
    }
}
