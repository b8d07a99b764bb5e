//! `TensorArraySplitV3`: writes parts of a tensor along its first axis as all elements of a tensor array.
//!
//! `lengths` are the parts' first extents; there are as many as elements, unless the array grows. The elements share
//! the tensor's memory. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Writes parts of `value` as elements.
#[op("TensorArraySplitV3",
     input = "handle: resource",
     input = "value: T",
     input = "lengths: int64",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::split)]
pub struct TensorArraySplitV3;
