//! `QueueIsClosedV2` and `QueueIsClosed`: whether a queue is closed, a scalar of bool.

use oplink::prelude::*;

use super::resource::Queue;

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

/// `QueueIsClosedV2` and `QueueIsClosed`.
#[kernel(QueueIsClosedV2, device = CPU)]
#[kernel(QueueIsClosed, device = CPU)]
pub fn queue_is_closed_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let is_closed = context.resource::<Queue>(0)?.is_closed();
    context.set_scalar(0, is_closed);
    Ok(())
}
