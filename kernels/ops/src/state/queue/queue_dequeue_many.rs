//! `QueueDequeueManyV2` and `QueueDequeueMany`: take `n` elements out of a queue, as the rows of tensors.
//!
//! The queue must tell its components' shapes. The run ends when there were so many elements; with `OutOfRange`, and
//! without having taken any, when the queue is closed, or with an error when the step is cancelled, before.

use super::shapes;
use oplink::prelude::*;

/// Takes `n` elements out of a queue.
#[op("QueueDequeueManyV2",
     input = "handle: resource",
     input = "n: int32",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     stateful,
     shape = shapes::dequeue_many)]
pub struct QueueDequeueManyV2;

/// Takes `n` elements out of the queue behind a reference.
#[op("QueueDequeueMany",
     input = "handle: Ref(string)",
     input = "n: int32",
     output = "components: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     shape = shape_fns::unknown)]
pub struct QueueDequeueMany;
