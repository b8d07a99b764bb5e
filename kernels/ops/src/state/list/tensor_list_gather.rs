//! `TensorListGather`: some elements of a list as the rows of a tensor.
//!
//! As `TensorListStack` of the elements at `indices`; only these tell the shape of those among them that were never
//! set. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The elements at `indices` as rows.
#[op("TensorListGather",
     input = "input_handle: variant",
     input = "indices: int32",
     input = "element_shape: int32",
     output = "values: element_dtype",
     attr = "element_dtype: type",
     shape = shapes::gather)]
pub struct TensorListGather;
