//! `RandomShuffleQueueV2` and `RandomShuffleQueue`: a queue from which elements leave in random order.
//!
//! Elements have components of the dtypes and shapes that the attrs tell; without shapes they may have any. `capacity`
//! limits how many there are, where it is not negative. Nodes of one `container` and `shared_name` share a queue, and
//! agree in its declaration. `min_after_dequeue` elements stay until the queue is closed. The order is TensorFlow's for
//! the same seeds; with both 0 nobody can foretell it.

use super::shapes;
use oplink::prelude::*;

/// A queue in random order.
#[op("RandomShuffleQueueV2",
     output = "handle: resource",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "min_after_dequeue: int = 0",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct RandomShuffleQueueV2;

/// A reference to a queue in random order.
#[op("RandomShuffleQueue",
     output = "handle: Ref(string)",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "min_after_dequeue: int = 0",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::reference)]
pub struct RandomShuffleQueue;
