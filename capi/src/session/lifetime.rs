//! Making, closing and deleting sessions.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{TF_Graph, TF_Session, TF_SessionOptions, TF_Status};
use oplink_api::bail;
use oplink_host::guard::with_status;

use super::{ClientOptions, ClientSession, session_of};
use crate::graph::share_graph;

impl ClientSession {
    /// A handle; `TF_DeleteSession` frees it.
    pub(super) fn into_handle(self) -> *mut TF_Session {
        Box::into_raw(Box::new(self)).cast()
    }
}

/// A session on a graph, which lives at least as long as the session.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewSession(
    graph: *mut TF_Graph,
    opts: *const TF_SessionOptions,
    status: *mut TF_Status,
) -> *mut TF_Session {
    const NAME: &str = "TF_NewSession";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        let (graph, options) = unsafe { (share_graph(graph, NAME, "graph")?, ClientOptions::borrow(opts, NAME)?) };
        Ok(ClientSession::new(graph, options)?.into_handle())
    })
}

/// Refuses further runs and stops those under way.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_CloseSession(session: *mut TF_Session, status: *mut TF_Status) {
    const NAME: &str = "TF_CloseSession";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        unsafe { session_of(session, NAME) }?.close();
        Ok(())
    });
}

/// Frees a session and its variables.
///
/// # Safety
/// The handles are null or alive; the session is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteSession(session: *mut TF_Session, status: *mut TF_Status) {
    const NAME: &str = "TF_DeleteSession";
    with_status(status, NAME, (), || {
        if session.is_null() {
            bail!("{NAME}: `session` is null");
        }
        // SAFETY: made as a box.
        drop(unsafe { Box::from_raw(session.cast::<ClientSession>()) });
        Ok(())
    });
}

/// Takes over what was added to the graph; runs do so by themselves.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ExtendSession(session: *mut TF_Session, status: *mut TF_Status) {
    const NAME: &str = "TF_ExtendSession";
    // SAFETY: the caller's contract.
    with_status(status, NAME, (), || unsafe { session_of(session, NAME) }?.extend());
}
