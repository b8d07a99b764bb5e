//! `TensorArrayScatterV3`: writes the rows of a tensor as elements of a tensor array.
//!
//! As `TensorArrayWriteV3` of each row at its position. The elements share the tensor's memory. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Writes rows as elements.
#[op("TensorArrayScatterV3",
     input = "handle: resource",
     input = "indices: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::scatter)]
pub struct TensorArrayScatterV3;
