//! `PaddingFIFOQueueV2` and `PaddingFIFOQueue`: a queue that pads the elements of a batch to one shape.
//!
//! Elements have components of the dtypes and shapes that the attrs tell; extents of -1 may be different in each.
//! `capacity` limits how many there are, where it is not negative. Nodes of one `container` and `shared_name` share a
//! queue, and agree in its declaration.

use super::shapes;
use oplink::prelude::*;

/// A queue of elements of different extents.
#[op("PaddingFIFOQueueV2",
     output = "handle: resource",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct PaddingFIFOQueueV2;

/// A reference to a queue of elements of different extents.
#[op("PaddingFIFOQueue",
     output = "handle: Ref(string)",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::reference)]
pub struct PaddingFIFOQueue;
