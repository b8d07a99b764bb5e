//! `FIFOQueueV2` and `FIFOQueue`: a queue from which elements leave in the order in which they came.
//!
//! Elements have components of the dtypes and shapes that the attrs tell; without shapes they may have any. `capacity`
//! limits how many there are, where it is not negative. Nodes of one `container` and `shared_name` share a queue, and
//! agree in its declaration.

use super::shapes;
use oplink::prelude::*;

/// A queue, first in, first out.
#[op("FIFOQueueV2",
     output = "handle: resource",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct FIFOQueueV2;

/// A reference to a queue, first in, first out.
#[op("FIFOQueue",
     output = "handle: Ref(string)",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::reference)]
pub struct FIFOQueue;
