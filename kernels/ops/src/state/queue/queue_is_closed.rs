//! `QueueIsClosedV2` and `QueueIsClosed`: whether a queue is closed, a scalar of bool.

use oplink::prelude::*;

/// Whether a queue is closed.
#[op("QueueIsClosedV2",
     input = "handle: resource",
     output = "is_closed: bool",
     stateful,
     shape = shape_fns::scalar)]
pub struct QueueIsClosedV2;

/// Whether the queue behind a reference is closed.
#[op("QueueIsClosed",
     input = "handle: Ref(string)",
     output = "is_closed: bool",
     shape = shape_fns::scalar)]
pub struct QueueIsClosed;
