//! `QueueDequeueV2` and `QueueDequeue`: take an element out of a queue.
//!
//! The run ends when there is an element; with `OutOfRange` when the queue is closed and empty, or with an error when the step is
//! cancelled, before.

use oplink::AsyncKernelContext;
use oplink::prelude::*;

use super::batch::Wanted;
use super::shapes;
use super::start::{Start, start};

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

/// `QueueDequeueV2` and `QueueDequeue`.
#[kernel(QueueDequeueV2, device = CPU, async)]
#[kernel(QueueDequeue, device = CPU, async)]
pub fn queue_dequeue_cpu(run: AsyncKernelContext) {
    start(run, |queue, run| {
        queue.declaration().check_dtypes(&run.node().output_dtypes)?;
        Ok(Start::Read(Wanted { count: 1, as_rows: false, or_fewer: false }))
    });
}
