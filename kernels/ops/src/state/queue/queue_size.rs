//! `QueueSizeV2` and `QueueSize`: the number of elements in a queue, a scalar of int32.

use oplink::prelude::*;

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
