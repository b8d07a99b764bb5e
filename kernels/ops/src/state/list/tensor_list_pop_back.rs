//! `TensorListPopBack`: the last element of a list, and the list without it.
//!
//! Where nobody else holds the list it is changed in place. An element that was never set is zeros of the shape that
//! the list and `element_shape` give together. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The list without its last element, and that.
#[op("TensorListPopBack",
     input = "input_handle: variant",
     input = "element_shape: int32",
     output = "output_handle: variant",
     output = "tensor: element_dtype",
     attr = "element_dtype: type",
     shape = shapes::pop_back)]
pub struct TensorListPopBack;
