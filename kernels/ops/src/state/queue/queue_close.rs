//! `QueueCloseV2` and `QueueClose`: let no more elements into a queue.
//!
//! Runs that wait for room come first, and this one ends after them; with the attr `cancel_pending_enqueues` they end
//! with an error at once. Runs that wait for more elements than there are end with `OutOfRange`. A queue that is closed
//! already is an error, except with that attr.

use oplink::prelude::*;

/// Closes a queue.
#[op("QueueCloseV2",
     input = "handle: resource",
     attr = "cancel_pending_enqueues: bool = false",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct QueueCloseV2;

/// Closes the queue behind a reference.
#[op("QueueClose",
     input = "handle: Ref(string)",
     attr = "cancel_pending_enqueues: bool = false",
     shape = shape_fns::no_outputs)]
pub struct QueueClose;
