//! `SerializeTensor`: a tensor as the bytes of a `TensorProto`, the same that TensorFlow writes.
//!
//! Resources and variants are not implemented.

use oplink::prelude::*;

/// Writes a tensor as a message.
#[op("SerializeTensor", input = "tensor: T", output = "serialized: string", attr = "T: type",
     shape = shape_fns::scalar)]
pub struct SerializeTensor;
