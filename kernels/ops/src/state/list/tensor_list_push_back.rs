//! `TensorListPushBack`: a list with one more element at its end.
//!
//! Where nobody else holds the list it is changed in place. The tensor must fit the list's element shape; a list with
//! as many elements as it can hold is an error. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The list with `tensor` at its end.
#[op("TensorListPushBack",
     input = "input_handle: variant",
     input = "tensor: element_dtype",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     shape = shapes::push_back)]
pub struct TensorListPushBack;
