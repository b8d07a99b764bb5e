//! `TensorArrayV3`: a new array of tensors.
//!
//! It has `size` elements, or with the attr `dynamic_size` at first, and lives until nobody has a handle to it. The
//! attr `element_shape` is what is known of every element's shape; with `identical_element_shapes` the first that is
//! written tells all. With `clear_after_read` an element can be read once. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A new array of tensors.
#[op("TensorArrayV3",
     input = "size: int32",
     output = "handle: resource",
     output = "flow: float",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     attr = "dynamic_size: bool = false",
     attr = "clear_after_read: bool = true",
     attr = "identical_element_shapes: bool = false",
     attr = "tensor_array_name: string = ''",
     stateful,
     shape = shapes::new_array)]
pub struct TensorArrayV3;
