//! `SerializeTensor` and `ParseTensor`: a tensor as the bytes of a `TensorProto`, the same that TensorFlow writes, and
//! back.
//!
//! `serialized` is a scalar with the message; when parsed, its dtype must be the attr `out_type`. Elements may be given
//! as bytes or as typed values, of which the last repeats for all that are missing. Resources and variants are not
//! implemented.

use super::strings::scalar;
use oplink::prelude::*;
use oplink_cpu_support::wire::{read_tensor, tensor_message};
use oplink_ops::string::{ParseTensor, SerializeTensor};

/// `SerializeTensor` of every dtype.
#[kernel(SerializeTensor, device = CPU, T = any)]
pub fn serialize_tensor_cpu(tensor: &Tensor) -> Result<TString> {
    Ok(TString::new(tensor_message(tensor)?))
}

/// `ParseTensor` of every dtype.
#[kernel(ParseTensor, device = CPU, out_type = any)]
pub fn parse_tensor_cpu(serialized: &Tensor, out_type: DType) -> Result<Tensor> {
    let tensor = read_tensor(scalar(serialized, "serialized")?)?;
    ensure!(tensor.dtype() == out_type, "the parsed tensor is of {}, the attr out_type is {out_type}", tensor.dtype());
    Ok(tensor)
}

#[cfg(test)]
mod tests {
    use oplink::element::QInt8;
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_with, run, run_one};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        check("SerializeTensor", [[1i32].into()], TString::new(b"\x08\x03\x12\x04\x12\x02\x08\x01\x22\x04\x01\0\0\0"));
        check("SerializeTensor", ["a".into()], TString::new(b"\x08\x07\x12\0\x42\x01a"));
        let error = run_one("SerializeTensor", vec![Tensor::zeros(DType::Variant, []).unwrap()]).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }

    #[test]
    fn there_and_back() {
        let tensors = [
            Tensor::from_vec([2, 1], vec![1.5f32, -2.0]).unwrap(),
            Tensor::from([true, false]),
            Tensor::from(["a", "bc"].map(TString::from)),
            Tensor::zeros(DType::Int64, [0, 3]).unwrap(),
            Complex::new(1f64, 2.0).into(),
        ];
        for tensor in tensors {
            let message = run_one("SerializeTensor", vec![tensor.clone()]).unwrap();
            check_with("ParseTensor", &[("out_type", tensor.dtype().into())], [message], tensor);
        }
    }

    #[test]
    fn typed_values_repeat_the_last() {
        let message = TString::new(b"\x08\x01\x12\x04\x12\x02\x08\x03\x2a\x08\0\0\x80\x3f\0\0\0\x40");
        check_with("ParseTensor", &[("out_type", DType::Float.into())], [message.into()], [1.0f32, 2.0, 2.0]);
    }

    #[test]
    fn quantized_values() {
        let message = TString::new(b"\x08\x0b\x12\x04\x12\x02\x08\x02\x3a\x01\x05");
        let expected = Tensor::from([QInt8(5), QInt8(5)]);
        check_with("ParseTensor", &[("out_type", DType::QInt8.into())], [message.into()], expected);
    }

    #[test]
    fn wrong_messages_are_errors() {
        let parse = |message: &[u8]| {
            run("ParseTensor", &[("out_type", DType::Float.into())], vec![TString::new(message).into()])
        };
        let messages: [&[u8]; 6] =
            [b"", b"\x08", b"\x08\x03\x12\0", b"\x08\x01\x12\x04\x12\x02\x08\x02\x22\x01a", b"zz", b"\x08\x63"];
        for message in messages {
            assert!(parse(message).is_err(), "{message:?}");
        }
    }
}
