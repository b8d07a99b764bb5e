//! `TensorListStack`: the elements of a list as the rows of a tensor.
//!
//! Elements have one shape, which fits the list's and `element_shape`; those never set are zeros. Without any element
//! that is set, the shape must be fully known from these two. The attr `num_elements` is the length to expect, -1 for
//! any. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The elements as rows.
#[op("TensorListStack",
     input = "input_handle: variant",
     input = "element_shape: int32",
     output = "tensor: element_dtype",
     attr = "element_dtype: type",
     attr = "num_elements: int = -1",
     shape = shapes::stack)]
pub struct TensorListStack;
