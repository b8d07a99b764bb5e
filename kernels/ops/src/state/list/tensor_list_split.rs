//! `TensorListSplit`: a list of parts of a tensor along its first axis.
//!
//! `lengths` are the parts' first extents and add up to the tensor's. The elements share the tensor's memory. Its other
//! extents must fit those of `element_shape`. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A list of parts of `tensor`.
#[op("TensorListSplit",
     input = "tensor: element_dtype",
     input = "element_shape: shape_type",
     input = "lengths: int64",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::split)]
pub struct TensorListSplit;
