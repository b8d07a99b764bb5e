//! `ParseTensor`: the tensor of a `TensorProto`.
//!
//! `serialized` is a scalar with the message, whose dtype must be the attr `out_type`. Elements may stand as bytes or
//! as typed values, of which the last stands for all that are missing.

use oplink::prelude::*;

/// Reads a tensor from a message.
#[op("ParseTensor", input = "serialized: string", output = "output: out_type", attr = "out_type: type",
     shape = shape_fns::unknown)]
pub struct ParseTensor;
