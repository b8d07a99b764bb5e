//! `PriorityQueueV2` and `PriorityQueue`: a queue from which the element with the smallest priority leaves first.
//!
//! The priority is a component before those that the attrs tell, an int64; elements of one priority leave in the order
//! in which they came. `capacity` limits how many there are, where it is not negative. Nodes of one `container` and
//! `shared_name` share a queue, and agree in its declaration.

use super::shapes;
use oplink::prelude::*;

/// A queue in order of priority.
#[op("PriorityQueueV2",
     output = "handle: resource",
     attr = "component_types: list(type) >= 0 = []",
     attr = "shapes: list(shape) >= 0",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct PriorityQueueV2;

/// A reference to a queue in order of priority.
#[op("PriorityQueue",
     output = "handle: Ref(string)",
     attr = "component_types: list(type) >= 0 = []",
     attr = "shapes: list(shape) >= 0",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::reference)]
pub struct PriorityQueue;
