//! `QueueEnqueueManyV2` and `QueueEnqueueMany`: put the rows of tensors into a queue as elements.
//!
//! All components have as many rows. They enter one after the other as there is room, and the run ends when all are in;
//! with an error when the queue is closed, or the step cancelled, before.

use oplink::prelude::*;

/// Puts rows into a queue as elements.
#[op("QueueEnqueueManyV2",
     input = "handle: resource",
     input = "components: Tcomponents",
     attr = "Tcomponents: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct QueueEnqueueManyV2;

/// Puts rows into the queue behind a reference as elements.
#[op("QueueEnqueueMany",
     input = "handle: Ref(string)",
     input = "components: Tcomponents",
     attr = "Tcomponents: list(type) >= 1",
     attr = "timeout_ms: int = -1",
     shape = shape_fns::no_outputs)]
pub struct QueueEnqueueMany;
