//! `SerializeTensor`: a tensor as the bytes of a `TensorProto`, the same that TensorFlow writes.
//!
//! Resources and variants are not implemented.

use oplink::prelude::*;

use super::wire::tensor_message;

/// Writes a tensor as a message.
#[op("SerializeTensor", input = "tensor: T", output = "serialized: string", attr = "T: type",
     shape = shape_fns::scalar)]
pub struct SerializeTensor;

/// `SerializeTensor` of every dtype.
#[kernel(SerializeTensor, device = CPU, T = any)]
pub fn serialize_tensor_cpu(tensor: &Tensor) -> Result<TString> {
    Ok(TString::new(tensor_message(tensor)?))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, run_one};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        check("SerializeTensor", [[1i32].into()], TString::new(b"\x08\x03\x12\x04\x12\x02\x08\x01\x22\x04\x01\0\0\0"));
        check("SerializeTensor", ["a".into()], TString::new(b"\x08\x07\x12\0\x42\x01a"));
        let error = run_one("SerializeTensor", vec![Tensor::zeros(DType::Variant, []).unwrap()]).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }
}
