//! Constant tensors of declarations and of the wire, made into tensors.

use crate::{DType, Element, Error, Result, Shape, TString, Tensor, ensure};
use oplink_spec::TensorValue;
use oplink_spec::wire::take_varint;

/// The tensor that a constant stands for: its bytes, or its values with the last one repeated, or zeros where it has
/// neither. Values beyond the shape's elements are ignored, as TensorFlow does.
///
/// # Errors
/// The shape is not fully known or too large, or the content has another length.
pub fn tensor_from_spec(value: &TensorValue) -> Result<Tensor> {
    let dims = value
        .shape
        .as_deref()
        .ok_or_else(|| Error::invalid_argument("a constant tensor has a shape of unknown rank"))?;
    let shape = Shape::from_i64(dims)?;
    match value.dtype {
        _ if value.content.is_empty() => from_values(value, shape),
        DType::String => from_string_content(shape, &value.content),
        dtype => Tensor::from_bytes(dtype, shape, &value.content),
    }
}

/// String content: the lengths of all strings as varints, then their bytes.
fn from_string_content(shape: Shape, mut content: &[u8]) -> Result<Tensor> {
    let short = || Error::invalid_argument("the content of a string constant ends too early");
    let count = shape.checked_num_elements().filter(|&n| n <= content.len()).ok_or_else(short)?;
    let lengths = (0..count).map(|_| read_varint(&mut content)).collect::<Option<Vec<usize>>>().ok_or_else(short)?;
    let mut strings = Vec::with_capacity(count);
    for length in lengths {
        let (string, rest) = content.split_at_checked(length).ok_or_else(short)?;
        strings.push(TString::new(string));
        content = rest;
    }
    Tensor::from_vec(shape, strings)
}

fn read_varint(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(take_varint(bytes).ok()?).ok()
}

fn from_values(v: &TensorValue, shape: Shape) -> Result<Tensor> {
    match v.dtype {
        DType::Bool => return repeated(shape, &v.bool_val, |&x| x),
        DType::String => return repeated(shape, &v.string_val, |s| TString::new(s)),
        _ => {}
    }
    let bytes = bytes_of(v)?;
    let mut tensor = Tensor::zeros(v.dtype, shape)?;
    let to = tensor.as_mut_bytes()?;
    let mut filled = bytes.len().min(to.len());
    to[..filled].copy_from_slice(&bytes[..filled]);
    // From the last value on, what is there is copied behind itself.
    if let Some(last) = filled.checked_sub(v.dtype.size().unwrap_or(1)) {
        while filled < to.len() {
            let count = (filled - last).min(to.len() - filled);
            to.copy_within(last..last + count, filled);
            filled += count;
        }
    }
    Ok(tensor)
}

/// The bytes of the values that are written out, in the field of their dtype.
fn bytes_of(v: &TensorValue) -> Result<Vec<u8>> {
    use DType as D;
    let dtype = v.dtype;
    Ok(match dtype {
        D::Float => v.float_val.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::Double => v.double_val.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::Complex64 => whole(&v.scomplex_val)?.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::Complex128 => whole(&v.dcomplex_val)?.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::Int64 => v.int64_val.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::UInt32 => v.uint32_val.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::UInt64 => v.uint64_val.iter().flat_map(|x| x.to_le_bytes()).collect(),
        D::Int32 | D::Int16 | D::Int8 | D::UInt8 | D::UInt16 | D::Int4 | D::UInt4 | D::Int2 | D::UInt2 => {
            low_bytes(&v.int_val, dtype)
        }
        D::QInt8 | D::QUInt8 | D::QInt16 | D::QUInt16 | D::QInt32 => low_bytes(&v.int_val, dtype),
        D::Half | D::BFloat16 => low_bytes(&v.half_val, dtype),
        D::Invalid | D::Resource | D::Variant => {
            return Err(Error::invalid_argument(format!("a constant tensor cannot have dtype {dtype}")));
        }
        _ => v.float8_val.clone(),
    })
}

/// Of each number the low bytes, as many as an element has.
fn low_bytes(values: &[i32], dtype: DType) -> Vec<u8> {
    let size = dtype.size().unwrap_or(1);
    values.iter().flat_map(|x| x.to_le_bytes().into_iter().take(size)).collect()
}

/// Complex numbers as real and imaginary parts by turns.
fn whole<T>(values: &[T]) -> Result<&[T]> {
    ensure!(values.len().is_multiple_of(2), "a complex constant has half a value");
    Ok(values)
}

/// The values, the last one for all that are missing.
fn repeated<T: Element, V>(shape: Shape, values: &[V], convert: impl Fn(&V) -> T) -> Result<Tensor> {
    let mut tensor = Tensor::zeros(T::DTYPE, shape)?;
    let elements = tensor.as_mut_slice::<T>()?;
    let (written, rest) = elements.split_at_mut(values.len().min(elements.len()));
    written.iter_mut().zip(values).for_each(|(slot, value)| *slot = convert(value));
    if let Some(last) = written.last() {
        rest.fill(last.clone());
    }
    Ok(tensor)
}
