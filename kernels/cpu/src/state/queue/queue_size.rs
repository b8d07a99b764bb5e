//! `QueueSizeV2` and `QueueSize`: the number of elements in a queue, a scalar of int32.

use oplink::prelude::*;

use super::resource::Queue;

/// The number of elements in a queue.
#[op("QueueSizeV2",
     input = "handle: resource",
     output = "size: int32",
     stateful,
     shape = shape_fns::scalar)]
pub struct QueueSizeV2;

/// The number of elements in the queue behind a reference.
#[op("QueueSize",
     input = "handle: Ref(string)",
     output = "size: int32",
     shape = shape_fns::scalar)]
pub struct QueueSize;

/// `QueueSizeV2` and `QueueSize`.
#[kernel(QueueSizeV2, device = CPU)]
#[kernel(QueueSize, device = CPU)]
pub fn queue_size_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let size = context.resource::<Queue>(0)?.len();
    context.set_scalar(0, size as i32);
    Ok(())
}
