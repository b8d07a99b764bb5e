//! `TensorListGetItem`: one element of a list.
//!
//! It shares the element's memory. One that was never set is zeros of the shape that the list, `element_shape` and the
//! elements that are set give together. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The element at `index`.
#[op("TensorListGetItem",
     input = "input_handle: variant",
     input = "index: int32",
     input = "element_shape: Tshape",
     output = "item: element_dtype",
     attr = "element_dtype: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shapes::get_item)]
pub struct TensorListGetItem;
