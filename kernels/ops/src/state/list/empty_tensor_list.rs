//! `EmptyTensorList`: a list without elements.
//!
//! `element_shape` is what is known of every element that will be pushed: a vector with -1 for unknown extents, or the
//! scalar -1. `max_num_elements` limits pushes, -1 does not. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A list without elements.
#[op("EmptyTensorList",
     input = "element_shape: shape_type",
     input = "max_num_elements: int32",
     output = "handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::new_list)]
pub struct EmptyTensorList;
