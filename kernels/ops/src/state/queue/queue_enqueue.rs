//! `QueueEnqueueV2` and `QueueEnqueue`: put an element into a queue.
//!
//! The run ends when there is room for the element; with an error when the queue is closed, or the step cancelled,
//! before.

use oplink::prelude::*;

/// Puts an element into a queue.
#[op("QueueEnqueueV2",
     input = "handle: resource",
     input = "components: Tcomponents",
     attr = "Tcomponents: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct QueueEnqueueV2;

/// Puts an element into the queue behind a reference.
#[op("QueueEnqueue",
     input = "handle: Ref(string)",
     input = "components: Tcomponents",
     attr = "Tcomponents: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     shape = shape_fns::no_outputs)]
pub struct QueueEnqueue;
