//! `TensorArrayReadV3`: an element of a tensor array.
//!
//! One that was never written is zeros, if its shape is known: from the array's, or in an array of gradients from that
//! of the element they are of. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// An element.
#[op("TensorArrayReadV3",
     input = "handle: resource",
     input = "index: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::read)]
pub struct TensorArrayReadV3;
