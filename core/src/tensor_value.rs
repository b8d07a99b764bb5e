//! Constant tensors of declarations and of the wire, made into tensors.

use oplink_api::element::{
    Complex, Float4E2M1FN, Float8E4M3B11FNUZ, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Int2, Int4,
    QInt8, QInt16, QInt32, QUInt8, QUInt16, UInt2, UInt4, bf16, f16,
};
use oplink_api::{DType, Element, Error, Result, Shape, TString, Tensor};
use oplink_spec::TensorValue;

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
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return usize::try_from(value).ok();
        }
    }
    None
}

fn from_values(v: &TensorValue, shape: Shape) -> Result<Tensor> {
    use DType as D;
    let complex32 = |pair: &[f32]| Complex::new(pair[0], pair[1]);
    let complex64 = |pair: &[f64]| Complex::new(pair[0], pair[1]);
    let string = |s: &Vec<u8>| TString::new(s);
    match v.dtype {
        D::Float => fill(shape, &v.float_val, |&x| x),
        D::Double => fill(shape, &v.double_val, |&x| x),
        D::Int32 => fill(shape, &v.int_val, |&x| x),
        D::Int16 => fill(shape, &v.int_val, |&x| x as i16),
        D::Int8 => fill(shape, &v.int_val, |&x| x as i8),
        D::UInt8 => fill(shape, &v.int_val, |&x| x as u8),
        D::UInt16 => fill(shape, &v.int_val, |&x| x as u16),
        D::QInt8 => fill(shape, &v.int_val, |&x| QInt8(x as i8)),
        D::QUInt8 => fill(shape, &v.int_val, |&x| QUInt8(x as u8)),
        D::QInt16 => fill(shape, &v.int_val, |&x| QInt16(x as i16)),
        D::QUInt16 => fill(shape, &v.int_val, |&x| QUInt16(x as u16)),
        D::QInt32 => fill(shape, &v.int_val, |&x| QInt32(x)),
        D::Int4 => fill(shape, &v.int_val, |&x| Int4(x as i8)),
        D::UInt4 => fill(shape, &v.int_val, |&x| UInt4(x as u8)),
        D::Int2 => fill(shape, &v.int_val, |&x| Int2(x as i8)),
        D::UInt2 => fill(shape, &v.int_val, |&x| UInt2(x as u8)),
        D::Int64 => fill(shape, &v.int64_val, |&x| x),
        D::UInt32 => fill(shape, &v.uint32_val, |&x| x),
        D::UInt64 => fill(shape, &v.uint64_val, |&x| x),
        D::Bool => fill(shape, &v.bool_val, |&x| x),
        D::Half => fill(shape, &v.half_val, |&x| f16::from_bits(x as u16)),
        D::BFloat16 => fill(shape, &v.half_val, |&x| bf16::from_bits(x as u16)),
        D::Complex64 => fill(shape, pairs(&v.scomplex_val)?, |p| complex32(p)),
        D::Complex128 => fill(shape, pairs(&v.dcomplex_val)?, |p| complex64(p)),
        D::String => fill(shape, &v.string_val, string),
        D::Float8E5M2 => fill(shape, &v.float8_val, |&x| Float8E5M2(x)),
        D::Float8E4M3FN => fill(shape, &v.float8_val, |&x| Float8E4M3FN(x)),
        D::Float8E4M3FNUZ => fill(shape, &v.float8_val, |&x| Float8E4M3FNUZ(x)),
        D::Float8E4M3B11FNUZ => fill(shape, &v.float8_val, |&x| Float8E4M3B11FNUZ(x)),
        D::Float8E5M2FNUZ => fill(shape, &v.float8_val, |&x| Float8E5M2FNUZ(x)),
        D::Float4E2M1FN => fill(shape, &v.float8_val, |&x| Float4E2M1FN(x)),
        other => Err(Error::invalid_argument(format!("a constant tensor cannot have dtype {other}"))),
    }
}

/// Complex numbers as real and imaginary parts by turns.
fn pairs<T: Copy>(values: &[T]) -> Result<&[[T; 2]]> {
    let (pairs, rest) = values.as_chunks::<2>();
    if rest.is_empty() { Ok(pairs) } else { Err(Error::invalid_argument("a complex constant has half a value")) }
}

fn fill<T: Element, V>(shape: Shape, values: &[V], convert: impl Fn(&V) -> T) -> Result<Tensor> {
    let mut tensor = Tensor::zeros(T::DTYPE, shape)?;
    let elements = tensor.as_mut_slice::<T>()?;
    let (written, rest) = elements.split_at_mut(values.len().min(elements.len()));
    written.iter_mut().zip(values).for_each(|(slot, value)| *slot = convert(value));
    if let Some(last) = written.last() {
        rest.fill(last.clone());
    }
    Ok(tensor)
}
