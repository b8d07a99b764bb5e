//! `QueueDequeueV2` and `QueueDequeue`: take an element out of a queue.
//!
//! The run ends when there is an element; with `OutOfRange` when the queue is closed and empty, or with an error when
//! the step is cancelled, before.

use super::shapes;
use oplink::prelude::*;

/// Takes an element out of a queue.
#[op("QueueDequeueV2",
     input = "handle: resource",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     stateful,
     shape = shapes::dequeue)]
pub struct QueueDequeueV2;

/// Takes an element out of the queue behind a reference.
#[op("QueueDequeue",
     input = "handle: Ref(string)",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     shape = shapes::dequeue)]
pub struct QueueDequeue;
