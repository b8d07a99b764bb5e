//! `TensorArrayGradV3` and `TensorArrayGradWithShape`: the array of a tensor array's gradients.
//!
//! There is one for each value of the attr `source`, made the first time; from then on the array does not grow. It has
//! as many elements, of the same shapes, before whose extents the second form puts those in `shape_to_prepend`. What is
//! written to one position adds up. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The array of gradients.
#[op("TensorArrayGradV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "grad_handle: resource",
     output = "flow_out: float",
     attr = "source: string",
     stateful,
     shape = shapes::gradient)]
pub struct TensorArrayGradV3;

/// The array of gradients of elements with more extents.
#[op("TensorArrayGradWithShape",
     input = "handle: resource",
     input = "flow_in: float",
     input = "shape_to_prepend: int32",
     output = "grad_handle: resource",
     output = "flow_out: float",
     attr = "source: string",
     stateful,
     shape = shapes::gradient_with_shape)]
pub struct TensorArrayGradWithShape;
