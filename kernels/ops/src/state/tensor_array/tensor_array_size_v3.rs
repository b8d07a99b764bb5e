//! `TensorArraySizeV3`: the number of elements of a tensor array, a scalar of int32.

use super::shapes;
use oplink::prelude::*;

/// The number of elements.
#[op("TensorArraySizeV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "size: int32",
     stateful,
     shape = shapes::size)]
pub struct TensorArraySizeV3;
