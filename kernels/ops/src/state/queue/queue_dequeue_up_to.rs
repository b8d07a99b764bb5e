//! `QueueDequeueUpToV2` and `QueueDequeueUpTo`: take `n` elements out of a queue, or what a closed one still has.
//!
//! As `QueueDequeueManyV2`, but a closed queue that is not empty gives all it has.

use super::shapes;
use oplink::prelude::*;

/// Takes `n` elements or fewer out of a queue.
#[op("QueueDequeueUpToV2",
     input = "handle: resource",
     input = "n: int32",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     stateful,
     shape = shapes::dequeue_up_to)]
pub struct QueueDequeueUpToV2;

/// Takes `n` elements or fewer out of the queue behind a reference.
#[op("QueueDequeueUpTo",
     input = "handle: Ref(string)",
     input = "n: int32",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     shape = shapes::dequeue_up_to)]
pub struct QueueDequeueUpTo;
