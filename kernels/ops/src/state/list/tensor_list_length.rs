//! `TensorListLength`: the number of elements of a list, a scalar of int32.

use oplink::prelude::*;

/// The number of elements.
#[op("TensorListLength", input = "input_handle: variant", output = "length: int32", shape = shape_fns::scalar)]
pub struct TensorListLength;
