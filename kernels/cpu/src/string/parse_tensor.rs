//! `ParseTensor`: the tensor of a `TensorProto`.
//!
//! `serialized` is a scalar with the message, whose dtype must be the attr `out_type`. Elements may stand as bytes or as typed
//! values, of which the last stands for all that are missing.

use oplink::prelude::*;

use super::strings::scalar;
use super::wire::read_tensor;

/// Reads a tensor from a message.
#[op("ParseTensor", input = "serialized: string", output = "output: out_type", attr = "out_type: type",
     shape = shape_fns::unknown)]
pub struct ParseTensor;

/// `ParseTensor` of every dtype.
#[kernel(ParseTensor, device = CPU, out_type = any)]
pub fn parse_tensor_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let tensor = read_tensor(scalar(context, 0, "serialized")?)?;
    let wanted: DType = context.attr("out_type")?;
    ensure!(tensor.dtype() == wanted, "the parsed tensor is of {}, the attr out_type is {wanted}", tensor.dtype());
    context.set_output(0, tensor);
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::element::QInt8;
    use oplink::prelude::*;

    use crate::support::testing::{check_with, run, run_one};

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
