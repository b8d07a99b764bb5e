//! The elements of a tensor as the fields of a message: the raw bytes of floating-point numbers, integers as varints,
//! strings.

use oplink_api::spec::wire::{Parsed, Value, fields, put_bytes, put_varint, repeated, take_word};
use oplink_api::{DType, Error, Result, Shape, TString, Tensor, ensure};

/// How the elements of a dtype are written, and the number of their field.
#[derive(Clone, Copy)]
enum Form {
    /// Packed words of 4 or 8 bytes: the bytes in memory.
    Words(u32),
    /// Packed varints.
    Numbers(u32),
    Strings(u32),
}

/// The form of a dtype; an error for dtypes that the format does not have.
fn form(dtype: DType) -> Result<Form> {
    Ok(match dtype {
        DType::Float => Form::Words(5),
        DType::Double => Form::Words(6),
        DType::Complex64 => Form::Words(9),
        DType::Complex128 => Form::Words(12),
        DType::Int32
        | DType::Int16
        | DType::Int8
        | DType::UInt8
        | DType::UInt16
        | DType::QInt8
        | DType::QUInt8
        | DType::QInt32 => Form::Numbers(7),
        DType::Int64 => Form::Numbers(10),
        DType::Bool => Form::Numbers(11),
        DType::Half => Form::Numbers(13),
        DType::String => Form::Strings(8),
        _ => {
            let message = format!("the V1 checkpoint format has no {dtype}; save it with SaveV2");
            return Err(Error::unimplemented(message));
        }
    })
}

/// An error for dtypes that the format does not have.
pub(super) fn check_dtype(dtype: DType) -> Result<()> {
    form(dtype).map(drop)
}

/// The message of a tensor's elements.
pub(super) fn encode(tensor: &Tensor) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    match form(tensor.dtype())? {
        Form::Strings(field) => {
            tensor.as_slice::<TString>()?.iter().for_each(|string| put_bytes(&mut out, field, string.as_bytes()));
        }
        _ if tensor.num_elements() == 0 => {}
        Form::Words(field) => put_bytes(&mut out, field, tensor.as_bytes()?),
        Form::Numbers(field) => {
            let mut packed = Vec::with_capacity(tensor.num_bytes());
            let signed = is_signed(tensor.dtype());
            let width = tensor.dtype().size().unwrap_or(1);
            for bytes in tensor.as_bytes()?.chunks_exact(width) {
                put_varint(&mut packed, widen(bytes, signed));
            }
            put_bytes(&mut out, field, &packed);
        }
    }
    Ok(out)
}

/// A tensor of this dtype and shape from the message of its elements.
pub(super) fn decode(dtype: DType, shape: Shape, message: &[u8]) -> Result<Tensor> {
    let count = shape.num_elements();
    let malformed = |why: &str| Error::invalid_argument(why);
    match form(dtype)? {
        Form::Strings(wanted) => {
            let mut strings = Vec::new();
            visit(message, wanted, |value| {
                strings.push(TString::new(value.bytes()?));
                Ok(())
            })
            .map_err(malformed)?;
            Tensor::from_vec(shape, strings)
        }
        Form::Words(wanted) => {
            let mut bytes = Vec::new();
            visit(message, wanted, |value| {
                match value {
                    Value::Bytes(packed) => bytes.extend_from_slice(packed),
                    Value::Fixed32(word) => bytes.extend(word.to_le_bytes()),
                    Value::Fixed64(word) => bytes.extend(word.to_le_bytes()),
                    Value::Varint(_) => return Err("a word is of another kind"),
                }
                Ok(())
            })
            .map_err(malformed)?;
            let length = dtype.size().and_then(|width| count.checked_mul(width));
            ensure!(length == Some(bytes.len()), "it has {} bytes", bytes.len());
            Tensor::from_bytes(dtype, shape, &bytes)
        }
        Form::Numbers(wanted) => {
            let mut numbers = Vec::new();
            visit(message, wanted, |value| repeated(value, &mut numbers)).map_err(malformed)?;
            ensure!(count == numbers.len(), "it has {} elements", numbers.len());
            let width = dtype.size().unwrap_or(1);
            let bytes: Vec<u8> =
                numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect();
            Tensor::from_bytes(dtype, shape, &bytes)
        }
    }
}

fn visit<'a>(message: &'a [u8], wanted: u32, mut each: impl FnMut(Value<'a>) -> Parsed<()>) -> Parsed<()> {
    fields(message, |field, value| if field == wanted { each(value) } else { Ok(()) })
}

fn is_signed(dtype: DType) -> bool {
    matches!(dtype, DType::Int64 | DType::Int32 | DType::Int16 | DType::Int8 | DType::QInt8 | DType::QInt32)
}

/// A little-endian number of at most 8 bytes, as one of 8.
fn widen(bytes: &[u8], signed: bool) -> u64 {
    let negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    take_word(&mut &wide[..]).map_or(0, u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_as_written() {
        let tensors = [
            Tensor::from([1.5f32, -2.0]),
            Tensor::from([i32::MIN, -1, 0, i32::MAX]),
            Tensor::from([i8::MIN, -1, 127]),
            Tensor::from([255u8, 0]),
            Tensor::from([u16::MAX]),
            Tensor::from([i64::MIN, i64::MAX]),
            Tensor::from([true, false]),
            Tensor::zeros(DType::Double, [3, 0]).unwrap(),
        ];
        for tensor in tensors {
            let read = decode(tensor.dtype(), tensor.shape().clone(), &encode(&tensor).unwrap()).unwrap();
            assert_eq!(read.as_bytes().unwrap(), tensor.as_bytes().unwrap());
        }
        let strings = Tensor::from(["", "abc"].map(TString::from));
        let read = decode(DType::String, Shape::new(&[2]), &encode(&strings).unwrap()).unwrap();
        assert_eq!(read.as_slice::<TString>().unwrap(), strings.as_slice::<TString>().unwrap());
    }

    #[test]
    fn other_numbers_of_elements_are_errors() {
        let message = encode(&Tensor::from([1, 2])).unwrap();
        assert!(decode(DType::Int32, Shape::new(&[3]), &message).is_err());
        assert!(decode(DType::Float, Shape::new(&[2]), &message).is_err());
        assert!(decode(DType::String, Shape::new(&[2]), &message).is_err());
        assert!(decode(DType::Int32, Shape::new(&[1 << 60]), &message).is_err());
        assert!(decode(DType::Bool, Shape::new(&[1]), &[0x58, 0x02]).is_err());
        assert!(encode(&Tensor::from([1u64])).is_err());
    }
}
