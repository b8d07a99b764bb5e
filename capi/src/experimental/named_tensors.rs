//! Queues of a graph that a client reaches by a number.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_Session, TF_Tensor};
use oplink_api::{Error, Output, Result, Tensor};
use oplink_graph::RunOptions;
use oplink_host::c_api;
use oplink_host::tensor::{into_handle, value_of_handle};

use crate::session::{ClientSession, Request, session_of};

/// A node that the client's program has put into the graph.
fn node(session: &ClientSession, name: &str) -> Result<u32> {
    let missing = || Error::internal(format!("the session's graph has no node `{name}`"));
    session.graph().lock().graph.position(name).ok_or_else(missing)
}

fn enqueue(session: &ClientSession, id: c_int, value: Tensor) -> Result<()> {
    let target = node(session, &format!("fifo_queue_enqueue_{id}"))?;
    let feed = node(session, &format!("arg_tensor_enqueue_{id}"))?;
    let request = Request {
        feeds: vec![Output { node: feed, index: 0 }],
        values: vec![value],
        targets: vec![target],
        ..Request::default()
    };
    session.run(request, &RunOptions::default()).map(drop)
}

fn dequeue(session: &ClientSession, id: c_int) -> Result<Tensor> {
    let name = format!("fifo_queue_dequeue_{id}");
    let fetch = Output { node: node(session, &name)?, index: 0 };
    let request = Request { fetches: vec![fetch], ..Request::default() };
    let (fetched, _) = session.run(request, &RunOptions::default())?;
    fetched.into_iter().next().ok_or_else(|| Error::internal(format!("`{name}` gave no tensor")))
}

c_api! {
    /// Runs the node `fifo_queue_enqueue_<tensor_id>` with the tensor fed to `arg_tensor_enqueue_<tensor_id>`; waits
    /// while the queue is full.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_EnqueueNamedTensor(
        session: *mut TF_Session => { session_of(session, NAME) },
        tensor_id: c_int,
        tensor as value: *mut TF_Tensor => { value_of_handle(tensor, NAME, "tensor") };
        status
    ) {
        enqueue(session, tensor_id, value)
    }

    /// What the node `fifo_queue_dequeue_<tensor_id>` gives, which the client deletes; waits while the queue is empty.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_DequeueNamedTensor(
        session: *mut TF_Session => { session_of(session, NAME) },
        tensor_id: c_int;
        status
    ) -> (*mut TF_Tensor = ptr::null_mut()) {
        dequeue(session, tensor_id).map(into_handle)
    }
}
