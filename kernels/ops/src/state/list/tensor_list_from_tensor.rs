//! `TensorListFromTensor`: a list of the rows of a tensor.
//!
//! The elements share the tensor's memory; their shape is that of the tensor without its first extent, and
//! `element_shape` must fit it. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A list of the rows of `tensor`.
#[op("TensorListFromTensor",
     input = "tensor: element_dtype",
     input = "element_shape: shape_type",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::from_tensor)]
pub struct TensorListFromTensor;
