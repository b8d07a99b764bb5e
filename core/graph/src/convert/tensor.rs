//! `TensorProto` and `Tensor`.
//!
//! Written form: no more than one element goes into the field of its dtype, several go into `tensor_content`; strings
//! always go into `string_val`. Any form that TensorFlow writes is read, a last value that stands for all missing ones
//! included.

use oplink_api::{DType, Error, Result, Shape, TString, Tensor, bail, ensure};
use oplink_proto::{TensorProto, bytes::Bytes, tensor_to_spec};
use oplink_spec::wire::{take, take_varint};

use super::budget::Budget;
use super::shape::{dtype, shape_from_proto, shape_to_proto};

/// The tensor that a message describes.
///
/// # Errors
/// The shape is not fully known; content and shape disagree; the dtype is none, resource or variant; the message
/// abbreviates a tensor (by its last value, or by none) that has more than `max_constant_bytes` bytes.
pub fn tensor_from_proto(proto: &TensorProto, max_constant_bytes: usize) -> Result<Tensor> {
    read(proto, &Budget::new(max_constant_bytes))
}

/// As [`tensor_from_proto`], with a bound for several tensors together.
pub(super) fn read(proto: &TensorProto, budget: &Budget<'_>) -> Result<Tensor> {
    let dtype = dtype(proto.dtype)?;
    let shape = known_shape(proto)?;
    let size = dtype.size().unwrap_or(size_of::<TString>());
    let count = shape.checked_num_elements();
    let bytes = count.and_then(|count| count.checked_mul(size));
    if !proto.tensor_content.is_empty() {
        if dtype == DType::String {
            return match budget.contents().and_then(|contents| contents.part(&proto.tensor_content)) {
                Some(part) => strings(part.read()?.as_slice()?, shape),
                None => strings(&proto.tensor_content, shape),
            };
        }
        let given = proto.tensor_content.len();
        ensure!(bytes == Some(given), "{given} bytes do not fill a constant of {dtype} {shape}");
        return match budget.contents().and_then(|contents| contents.part(&proto.tensor_content)) {
            Some(part) => part.tensor(dtype, shape),
            None => Tensor::from_bytes(dtype, shape, &proto.tensor_content),
        };
    }
    if count.is_none_or(|count| count > proto_values(proto)) {
        budget.take(bytes, || format!("one of {dtype} {shape}"))?;
    }
    let value = tensor_to_spec(proto).map_err(|e| Error::invalid_argument(e.reason()))?;
    oplink_core::tensor_from_spec(&value)
}

/// Strings in the form of bytes: the lengths of all as varints, then their bytes.
fn strings(mut bytes: &[u8], shape: Shape) -> Result<Tensor> {
    let mut read = || {
        // A length takes a byte at least.
        let count = shape.checked_num_elements().filter(|&count| count <= bytes.len())?;
        let lengths = (0..count).map(|_| take_varint(&mut bytes).ok()).collect::<Option<Vec<u64>>>()?;
        let strings = lengths.into_iter().map(|length| take(&mut bytes, length).ok().map(TString::new));
        strings.collect::<Option<Vec<TString>>>().filter(|_| bytes.is_empty())
    };
    match read() {
        Some(strings) => Tensor::from_vec(shape, strings),
        None => bail!("tensor_content has not the lengths and bytes of a constant of string {shape}"),
    }
}

/// The number of values written out one by one, in whatever field.
fn proto_values(p: &TensorProto) -> usize {
    let plain = p.half_val.len() + p.float_val.len() + p.double_val.len() + p.int_val.len() + p.int64_val.len();
    let other = p.bool_val.len() + p.string_val.len() + p.uint32_val.len() + p.uint64_val.len() + p.float8_val.len();
    plain + other + p.scomplex_val.len() / 2 + p.dcomplex_val.len() / 2
}

fn known_shape(proto: &TensorProto) -> Result<Shape> {
    let Some(shape) = &proto.tensor_shape else { return Ok(Shape::scalar()) };
    let shape = shape_from_proto(shape)?;
    shape.to_shape().ok_or_else(|| Error::invalid_argument(format!("a constant tensor has the unknown shape {shape}")))
}

/// The message of a tensor.
///
/// # Errors
/// The tensor holds resources or variants.
pub fn tensor_to_proto(tensor: &Tensor) -> Result<TensorProto> {
    let mut proto = TensorProto {
        dtype: tensor.dtype().number(),
        tensor_shape: Some(shape_to_proto(&tensor.shape().into())),
        ..TensorProto::default()
    };
    match (tensor.dtype(), tensor.num_elements()) {
        (DType::String, _) => {
            proto.string_val =
                tensor.as_slice::<TString>()?.iter().map(|s| Bytes::copy_from_slice(s.as_bytes())).collect();
        }
        (_, 0) => {}
        (_, 1) => single_value(tensor, &mut proto)?,
        _ => proto.tensor_content = Bytes::copy_from_slice(tensor.as_bytes()?),
    }
    Ok(proto)
}

/// Whether [`tensor_to_proto`] writes the tensor of this message as the message has it.
pub(crate) fn is_canonical(proto: &TensorProto, tensor: &Tensor) -> Result<bool> {
    let is_plain = tensor.dtype() != DType::String;
    if is_plain
        && proto.tensor_content.len() == tensor.num_bytes()
        && tensor.num_elements() > 1
        && proto_values(proto) == 0
    {
        let shape = Some(shape_to_proto(&tensor.shape().into()));
        return Ok(proto.tensor_shape == shape && proto.version_number == 0);
    }
    Ok(tensor.num_elements() <= 1.max(proto_values(proto)) && &tensor_to_proto(tensor)? == proto)
}

fn single_value(tensor: &Tensor, proto: &mut TensorProto) -> Result<()> {
    use DType as D;
    let bytes = tensor.as_bytes()?;
    match tensor.dtype() {
        D::Float => proto.float_val = vec![tensor.to_scalar()?],
        D::Double => proto.double_val = vec![tensor.to_scalar()?],
        D::Int64 => proto.int64_val = vec![tensor.to_scalar()?],
        D::UInt32 => proto.uint32_val = vec![tensor.to_scalar()?],
        D::UInt64 => proto.uint64_val = vec![tensor.to_scalar()?],
        D::Bool => proto.bool_val = vec![tensor.to_scalar()?],
        D::Half | D::BFloat16 => proto.half_val = vec![i32::from(bits(bytes, u16::from_le_bytes)?)],
        D::Complex64 => proto.scomplex_val = parts(bytes, f32::from_le_bytes),
        D::Complex128 => proto.dcomplex_val = parts(bytes, f64::from_le_bytes),
        D::Int32 | D::QInt32 => proto.int_val = vec![bits(bytes, i32::from_le_bytes)?],
        D::Int16 | D::QInt16 => proto.int_val = vec![bits(bytes, i16::from_le_bytes)?.into()],
        D::UInt16 | D::QUInt16 => proto.int_val = vec![bits(bytes, u16::from_le_bytes)?.into()],
        D::Int8 | D::QInt8 | D::Int4 | D::Int2 => proto.int_val = vec![bits(bytes, i8::from_le_bytes)?.into()],
        D::UInt8 | D::QUInt8 | D::UInt4 | D::UInt2 => proto.int_val = vec![bits(bytes, u8::from_le_bytes)?.into()],
        _ => proto.float8_val = Bytes::copy_from_slice(bytes),
    }
    Ok(())
}

/// The element in these bytes.
fn bits<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Result<T> {
    let array = bytes.try_into().map_err(|_| Error::internal("an element has another size than its dtype"))?;
    Ok(read(array))
}

/// Real and imaginary part.
fn parts<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|part| read(*part)).collect()
}
