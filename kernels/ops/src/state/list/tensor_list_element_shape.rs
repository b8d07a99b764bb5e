//! `TensorListElementShape`: what a list knows of the shape of its elements.
//!
//! A vector of int32 or int64 with -1 for unknown extents; the scalar -1 for an unknown rank.

use super::shapes;
use oplink::prelude::*;

/// The element shape.
#[op("TensorListElementShape",
     input = "input_handle: variant",
     output = "element_shape: shape_type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::element_shape)]
pub struct TensorListElementShape;
