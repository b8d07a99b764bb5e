//! `TensorListSetItem`: a list with one element replaced.
//!
//! Where nobody else holds the list it is changed in place, at a cost that does not depend on its length. The item must
//! fit the list's element shape; an index beyond the end is an error, or with the attr `resize_if_index_out_of_bounds`
//! makes the list longer by elements that are not set. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The list with `item` at `index`.
#[op("TensorListSetItem",
     input = "input_handle: variant",
     input = "index: int32",
     input = "item: element_dtype",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "resize_if_index_out_of_bounds: bool = false",
     shape = shapes::set_item)]
pub struct TensorListSetItem;
