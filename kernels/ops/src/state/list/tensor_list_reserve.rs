//! `TensorListReserve`: a list of elements that are not set yet.
//!
//! `element_shape` is a vector with -1 for unknown extents, or the scalar -1. `num_elements` is not negative. Every
//! dtype.

use super::shapes;
use oplink::prelude::*;

/// A list of elements that are not set yet.
#[op("TensorListReserve",
     input = "element_shape: shape_type",
     input = "num_elements: int32",
     output = "handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::new_list)]
pub struct TensorListReserve;
