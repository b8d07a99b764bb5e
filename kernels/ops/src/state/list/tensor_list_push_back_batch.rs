//! `TensorListPushBackBatch`: several lists, each with a row of a tensor at its end.
//!
//! `input_handles` is a vector of lists, as many as `tensor` has rows. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The lists with the rows of `tensor` at their ends.
#[op("TensorListPushBackBatch",
     input = "input_handles: variant",
     input = "tensor: element_dtype",
     output = "output_handles: variant",
     attr = "element_dtype: type",
     shape = shapes::push_back_batch)]
pub struct TensorListPushBackBatch;
