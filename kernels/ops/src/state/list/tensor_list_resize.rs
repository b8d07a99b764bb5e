//! `TensorListResize`: a list with elements cut off its end, or with more that are not set.
//!
//! Where nobody else holds the list it is changed in place.

use super::shapes;
use oplink::prelude::*;

/// The list with `size` elements.
#[op("TensorListResize",
     input = "input_handle: variant",
     input = "size: int32",
     output = "output_handle: variant",
     shape = shapes::same_list)]
pub struct TensorListResize;
