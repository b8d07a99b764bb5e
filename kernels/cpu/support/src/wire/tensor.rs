//! Tensors as messages (`TensorProto`).

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;

use super::read::{take_chunk, take_varint};
use super::{Field, Message, Problem, Value, fields};

const DTYPE: u64 = 1;
const SHAPE: u64 = 2;
const CONTENT: u64 = 4;
const STRINGS: u64 = 8;

/// The message of a tensor: the bytes of its elements, or its strings.
///
/// # Errors
/// Resources and variants have no message.
pub fn tensor_message(tensor: &Tensor) -> Result<Vec<u8>> {
    let message = header(tensor);
    let message = match tensor.dtype() {
        DType::String => {
            let strings = tensor.as_slice::<TString>()?;
            strings.iter().fold(message, |message, string| message.bytes(STRINGS as u32, string.as_bytes()))
        }
        DType::Resource | DType::Variant => {
            return Err(Error::unimplemented(format!("a tensor of {} has no serialized form", tensor.dtype())));
        }
        _ => message.bytes_unless_empty(CONTENT as u32, tensor.as_bytes()?),
    };
    Ok(message.into_bytes())
}

/// The dtype and the shape.
fn header(tensor: &Tensor) -> Message {
    let (dtype, shape) = (tensor.dtype().number() as u64, shape_message(tensor.shape()));
    Message::default().integer(DTYPE as u32, dtype).bytes(SHAPE as u32, &shape)
}

/// The message of a shape.
pub fn shape_message(shape: &Shape) -> Vec<u8> {
    let dims = shape.iter().map(|&extent| Message::default().integer_unless_zero(1, extent as u64).into_bytes());
    dims.fold(Message::default(), |shape, dim| shape.bytes(2, &dim)).into_bytes()
}

/// As [`tensor_message`], strings as their lengths and then their bytes in the place of the bytes of elements.
///
/// # Errors
/// As [`tensor_message`].
pub fn content_message(tensor: &Tensor) -> Result<Vec<u8>> {
    if tensor.dtype() != DType::String {
        return tensor_message(tensor);
    }
    let strings = tensor.as_slice::<TString>()?;
    let mut content =
        strings.iter().fold(Message::default(), |content, string| content.length(string.as_bytes().len()));
    strings.iter().for_each(|string| content.raw(string.as_bytes()));
    Ok(header(tensor).bytes_unless_empty(CONTENT as u32, &content.into_bytes()).into_bytes())
}

/// The strings of a content: their lengths, then their bytes.
fn content_strings(mut content: &[u8], count: usize) -> Result<Vec<TString>, Problem> {
    let mut lengths = Vec::new();
    for _ in 0..count {
        lengths.push(usize::try_from(take_varint(&mut content)?).map_err(|_| "a string is too long")?);
    }
    let mut strings = Vec::new();
    for length in lengths {
        let (string, rest) = content.split_at_checked(length).ok_or("a string is cut off")?;
        strings.push(TString::new(string));
        content = rest;
    }
    Ok(strings)
}

/// The tensor of a message: of the bytes of its elements or of typed values, the last of which stands for all that are
/// missing.
///
/// # Errors
/// It is no such message, or of resources or variants.
pub fn read_tensor(message: &[u8]) -> Result<Tensor> {
    let invalid = |why: &str| Error::invalid_argument(format!("cannot parse a tensor: {why}"));
    let fields = fields(message).map_err(invalid)?;
    let last = |number| fields.iter().rev().find(|field| field.number == number).map(|field| field.value);
    let dtype = match last(DTYPE) {
        Some(Value::Varint(number)) => DType::from_number(number as i32).filter(|dtype| *dtype != DType::Invalid),
        _ => None,
    };
    let dtype = dtype.ok_or_else(|| invalid("it has no dtype"))?;
    let shape = match last(SHAPE) {
        Some(Value::Bytes(shape)) => parse_shape(shape).map_err(invalid)?,
        _ => Shape::scalar(),
    };
    let Some(count) = shape.checked_num_elements() else {
        bail!("cannot parse a tensor: its shape {shape} is too large")
    };
    match (last(CONTENT), dtype) {
        (Some(Value::Bytes(content)), DType::String) if !content.is_empty() => {
            Tensor::from_vec(shape, content_strings(content, count).map_err(invalid)?)
        }
        (Some(Value::Bytes(content)), _) if !content.is_empty() => from_content(dtype, shape, content),
        _ => typed(dtype, shape, &fields),
    }
}

/// A tensor of the bytes of its elements, which are plain.
///
/// # Errors
/// There are not as many bytes as elements need.
pub fn from_content(dtype: DType, shape: Shape, content: &[u8]) -> Result<Tensor> {
    if dtype != DType::Bool {
        return Tensor::from_bytes(dtype, shape, content);
    }
    let fits = shape.checked_num_elements() == Some(content.len());
    ensure!(fits, "cannot parse a tensor: {} bytes for bools of shape {shape}", content.len());
    Tensor::from_vec(shape, content.iter().map(|&byte| byte != 0).collect())
}

/// The extents of a shape; without any it is a scalar's, also where it says that its rank is unknown.
///
/// # Errors
/// It is no such message; an extent is unknown.
pub fn parse_shape(message: &[u8]) -> Result<Shape, Problem> {
    let mut shape = Shape::scalar();
    for field in fields(message)? {
        if let (2, Value::Bytes(dim)) = (field.number, field.value) {
            let size = fields(dim)?.iter().rev().find_map(|field| match (field.number, field.value) {
                (1, Value::Varint(size)) => Some(size),
                _ => None,
            });
            shape.push(usize::try_from(size.unwrap_or(0) as i64).map_err(|_| "an extent is unknown")?);
        }
    }
    Ok(shape)
}

/// A tensor of typed values.
fn typed(dtype: DType, shape: Shape, fields: &[Field<'_>]) -> Result<Tensor> {
    match dtype {
        DType::Float => spread(shape, words(fields, 5, f32::from_le_bytes)),
        DType::Double => spread(shape, words(fields, 6, f64::from_le_bytes)),
        DType::Complex64 => spread(shape, words(fields, 9, f32::from_le_bytes).map(|parts| pairs(&parts))),
        DType::Complex128 => spread(shape, words(fields, 12, f64::from_le_bytes).map(|parts| pairs(&parts))),
        DType::Half => spread(shape, integers(fields, 13, |bits| f16::from_bits(bits as u16))),
        DType::BFloat16 => spread(shape, integers(fields, 13, |bits| bf16::from_bits(bits as u16))),
        DType::Int8 => spread(shape, integers(fields, 7, |value| value as i8)),
        DType::Int16 => spread(shape, integers(fields, 7, |value| value as i16)),
        DType::Int32 => spread(shape, integers(fields, 7, |value| value as i32)),
        DType::UInt8 => spread(shape, integers(fields, 7, |value| value as u8)),
        DType::UInt16 => spread(shape, integers(fields, 7, |value| value as u16)),
        DType::Int64 => spread(shape, integers(fields, 10, |value| value as i64)),
        DType::UInt32 => spread(shape, integers(fields, 16, |value| value as u32)),
        DType::UInt64 => spread(shape, integers(fields, 17, |value| value)),
        DType::Bool => spread(shape, integers(fields, 11, |value| value != 0)),
        DType::String => {
            let strings = fields.iter().filter_map(|field| match (field.number, field.value) {
                (STRINGS, Value::Bytes(string)) => Some(TString::new(string)),
                _ => None,
            });
            spread(shape, Ok(strings.collect()))
        }
        DType::QInt8 => spread(shape, integers(fields, 7, |value| QInt8(value as i8))),
        DType::QInt16 => spread(shape, integers(fields, 7, |value| QInt16(value as i16))),
        DType::QInt32 => spread(shape, integers(fields, 7, |value| QInt32(value as i32))),
        DType::QUInt8 => spread(shape, integers(fields, 7, |value| QUInt8(value as u8))),
        DType::QUInt16 => spread(shape, integers(fields, 7, |value| QUInt16(value as u16))),
        other if shape.contains(&0) => Tensor::zeros(other, shape),
        other => Err(Error::unimplemented(format!("a tensor of {other} without the bytes of its elements"))),
    }
}

/// A tensor of these values; the last one stands for all that are missing, the default for all.
fn spread<T: Element>(shape: Shape, values: Result<Vec<T>, Problem>) -> Result<Tensor> {
    let mut values = values.map_err(|why| Error::invalid_argument(format!("cannot parse a tensor: {why}")))?;
    let last = values.last().cloned().unwrap_or_default();
    let mut tensor = Tensor::zeros(T::DTYPE, shape)?;
    let out = tensor.as_mut_slice::<T>()?;
    values.truncate(out.len());
    let (given, missing) = out.split_at_mut(values.len());
    given.clone_from_slice(&values);
    missing.fill(last);
    Ok(tensor)
}

fn pairs<T: Copy>(parts: &[T]) -> Vec<Complex<T>> {
    parts.as_chunks().0.iter().map(|&[re, im]| Complex { re, im }).collect()
}

/// Integers of a field, packed or one by one.
///
/// # Errors
/// The field holds something else.
pub fn integers<T>(fields: &[Field<'_>], number: u64, value: impl Fn(u64) -> T) -> Result<Vec<T>, Problem> {
    let mut values = Vec::new();
    for field in fields.iter().filter(|field| field.number == number) {
        match field.value {
            Value::Varint(bits) => values.push(value(bits)),
            Value::Bytes(mut packed) => {
                while !packed.is_empty() {
                    values.push(value(take_varint(&mut packed)?));
                }
            }
            _ => return Err("a value has the wrong kind"),
        }
    }
    Ok(values)
}

/// Numbers of `N` bytes of a field, packed or one by one.
///
/// # Errors
/// The field holds something else.
pub fn words<T, const N: usize>(fields: &[Field<'_>], number: u64, value: fn([u8; N]) -> T) -> Result<Vec<T>, Problem> {
    let mut values = Vec::new();
    for field in fields.iter().filter(|field| field.number == number) {
        let mut bytes: &[u8] = match &field.value {
            Value::Bytes(packed) => packed,
            Value::Fixed32(word) => word,
            Value::Fixed64(word) => word,
            Value::Varint(_) => return Err("a value has the wrong kind"),
        };
        while !bytes.is_empty() {
            values.push(value(take_chunk(&mut bytes)?));
        }
    }
    Ok(values)
}
