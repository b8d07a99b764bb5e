//! `TensorArrayWriteV3`: writes an element of a tensor array.
//!
//! The array takes the value's memory. An element that was written or read already is an error; in an array of
//! gradients values written to one position add up. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Writes an element.
#[op("TensorArrayWriteV3",
     input = "handle: resource",
     input = "index: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::write)]
pub struct TensorArrayWriteV3;
