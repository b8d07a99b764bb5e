//! Making, closing and deleting sessions.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{TF_Graph, TF_Session, TF_SessionOptions};
use oplink_host::c_api;
use oplink_host::guard::delete;

use super::{ClientOptions, ClientSession, session_of};
use crate::graph::share_graph;

impl ClientSession {
    /// A handle; `TF_DeleteSession` frees it.
    pub(super) fn into_handle(self) -> *mut TF_Session {
        Box::into_raw(Box::new(self)).cast()
    }
}

c_api! {
    /// A session on a graph, which lives at least as long as the session.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_NewSession(
        graph: *mut TF_Graph => share_graph,
        opts as options: *const TF_SessionOptions => { ClientOptions::borrow(opts, NAME) };
        status
    ) -> (*mut TF_Session = ptr::null_mut()) {
        Ok(ClientSession::new(graph, options)?.into_handle())
    }

    /// Refuses further runs and stops those under way.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_CloseSession(session: *mut TF_Session; status) {
        // SAFETY: `session` is null or alive (Safety section).
        unsafe { session_of(session, NAME) }?.close();
        Ok(())
    }

    /// Frees a session and its variables; null is allowed.
    ///
    /// # Safety
    /// The handles are null or alive; the session is not used afterwards.
    fn TF_DeleteSession(session: *mut TF_Session; status) {
        // SAFETY: null, or a box that the function which makes sessions gave, and that the client gives up.
        unsafe { delete(session.cast::<ClientSession>()) };
        Ok(())
    }

    /// Takes over what was added to the graph; runs do so by themselves.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_ExtendSession(session: *mut TF_Session; status) {
        // SAFETY: `session` is null or alive (Safety section).
        unsafe { session_of(session, NAME) }?.extend()
    }
}
