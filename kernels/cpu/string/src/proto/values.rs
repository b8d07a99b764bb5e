//! Values of fields, and elements of tensors.

use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink_proto::prost_reflect::Value;

use super::fields::Encoding;
use super::wire::{Reader, push_varint};

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Float(f32),
    Double(f64),
    Signed(i64),
    Unsigned(u64),
    Bool(bool),
    Bytes(&'a [u8]),
}

impl<'a> Scalar<'a> {
    /// What stands for a value that is not there.
    pub(super) fn of_default(value: &'a Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool(*value),
            Value::I32(value) | Value::EnumNumber(value) => Self::Signed((*value).into()),
            Value::I64(value) => Self::Signed(*value),
            Value::U32(value) => Self::Unsigned((*value).into()),
            Value::U64(value) => Self::Unsigned(*value),
            Value::F32(value) => Self::Float(*value),
            Value::F64(value) => Self::Double(*value),
            Value::String(value) => Self::Bytes(value.as_bytes()),
            Value::Bytes(value) => Self::Bytes(value),
            Value::Message(_) | Value::List(_) | Value::Map(_) => Self::Bytes(b""),
        }
    }

    /// Reads a value that is neither bytes nor a group.
    pub(super) fn read(reader: &mut Reader<'a>, encoding: Encoding) -> Option<Self> {
        Some(match encoding {
            Encoding::Double => Self::Double(f64::from_bits(reader.fixed64()?)),
            Encoding::Float => Self::Float(f32::from_bits(reader.fixed32()?)),
            Encoding::Int32 | Encoding::Enum => Self::Signed((reader.varint()? as i32).into()),
            Encoding::Int64 => Self::Signed(reader.varint()? as i64),
            Encoding::Uint32 => Self::Unsigned((reader.varint()? as u32).into()),
            Encoding::Uint64 => Self::Unsigned(reader.varint()?),
            Encoding::Sint32 => {
                let bits = reader.varint()? as u32;
                Self::Signed(((bits >> 1) as i32 ^ -((bits & 1) as i32)).into())
            }
            Encoding::Sint64 => {
                let bits = reader.varint()?;
                Self::Signed((bits >> 1) as i64 ^ -((bits & 1) as i64))
            }
            Encoding::Fixed32 => Self::Unsigned(reader.fixed32()?.into()),
            Encoding::Fixed64 => Self::Unsigned(reader.fixed64()?),
            Encoding::Sfixed32 => Self::Signed((reader.fixed32()? as i32).into()),
            Encoding::Sfixed64 => Self::Signed(reader.fixed64()? as i64),
            Encoding::Bool => Self::Bool(reader.varint()? != 0),
            Encoding::Bytes | Encoding::Group => return None,
        })
    }

    /// Reads a value of a packed field. As in TensorFlow, an `int32` is taken without its sign there, so that it is
    /// another number as an int64.
    pub(super) fn read_packed(reader: &mut Reader<'a>, encoding: Encoding) -> Option<Self> {
        match encoding {
            Encoding::Int32 => Some(Self::Signed((reader.varint()? as u32).into())),
            _ => Self::read(reader, encoding),
        }
    }

    /// Appends the value, encoded.
    pub(super) fn push(self, out: &mut Vec<u8>, encoding: Encoding) -> Result<()> {
        let bytes = if let Self::Bytes(bytes) = self { bytes } else { &[] };
        try_reserve(out, bytes.len().saturating_add(size_of::<u128>()))?;
        let double = match self {
            Self::Float(value) => value.into(),
            Self::Double(value) => value,
            _ => 0.0,
        };
        let integer = match self {
            Self::Signed(value) => value as u64,
            Self::Unsigned(value) => value,
            Self::Bool(value) => value.into(),
            _ => 0,
        };
        match encoding {
            Encoding::Double => out.extend(double.to_le_bytes()),
            Encoding::Float => out.extend((double as f32).to_le_bytes()),
            Encoding::Int32 | Encoding::Enum => push_varint(out, i64::from(integer as i32) as u64),
            Encoding::Uint32 => push_varint(out, u64::from(integer as u32)),
            Encoding::Int64 | Encoding::Uint64 | Encoding::Bool => push_varint(out, integer),
            Encoding::Sint32 => {
                let value = integer as i32;
                push_varint(out, u64::from((value << 1 ^ value >> 31) as u32));
            }
            Encoding::Sint64 => push_varint(out, ((integer as i64) << 1 ^ (integer as i64) >> 63) as u64),
            Encoding::Fixed32 | Encoding::Sfixed32 => out.extend((integer as u32).to_le_bytes()),
            Encoding::Fixed64 | Encoding::Sfixed64 => out.extend(integer.to_le_bytes()),
            Encoding::Bytes => {
                push_varint(out, bytes.len() as u64);
                out.extend(bytes);
            }
            Encoding::Group => out.extend(bytes),
        }
        Ok(())
    }
}

/// The elements of a tensor.
pub(super) enum Elements<'a> {
    Float(&'a [f32]),
    Double(&'a [f64]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
    Bool(&'a [bool]),
    String(&'a [TString]),
}

impl<'a> Elements<'a> {
    pub(super) fn new(tensor: &'a Tensor) -> Result<Self> {
        Ok(match tensor.dtype() {
            DType::Float => Self::Float(tensor.as_slice()?),
            DType::Double => Self::Double(tensor.as_slice()?),
            DType::Int32 => Self::Int32(tensor.as_slice()?),
            DType::Int64 => Self::Int64(tensor.as_slice()?),
            DType::UInt32 => Self::UInt32(tensor.as_slice()?),
            DType::UInt64 => Self::UInt64(tensor.as_slice()?),
            DType::Bool => Self::Bool(tensor.as_slice()?),
            DType::String => Self::String(tensor.as_slice()?),
            other => bail!("no field has values of {other}"),
        })
    }

    pub(super) fn get(&self, at: usize) -> Scalar<'a> {
        match self {
            Self::Float(elements) => Scalar::Float(elements[at]),
            Self::Double(elements) => Scalar::Double(elements[at]),
            Self::Int32(elements) => Scalar::Signed(elements[at].into()),
            Self::Int64(elements) => Scalar::Signed(elements[at]),
            Self::UInt32(elements) => Scalar::Unsigned(elements[at].into()),
            Self::UInt64(elements) => Scalar::Unsigned(elements[at]),
            Self::Bool(elements) => Scalar::Bool(elements[at]),
            Self::String(elements) => Scalar::Bytes(elements[at].as_bytes()),
        }
    }
}

/// Writes a value as an element of a tensor whose dtype the field has.
pub(super) fn write(tensor: &mut Tensor, at: usize, value: Scalar<'_>) -> Result<()> {
    let dtype = tensor.dtype();
    match (dtype, value) {
        (DType::Float, Scalar::Float(value)) => tensor.as_mut_slice::<f32>()?[at] = value,
        (DType::Double, Scalar::Float(value)) => tensor.as_mut_slice::<f64>()?[at] = value.into(),
        (DType::Double, Scalar::Double(value)) => tensor.as_mut_slice::<f64>()?[at] = value,
        (DType::Int32, Scalar::Signed(value)) => tensor.as_mut_slice::<i32>()?[at] = value as i32,
        (DType::Int64, Scalar::Signed(value)) => tensor.as_mut_slice::<i64>()?[at] = value,
        (DType::UInt32, Scalar::Unsigned(value)) => tensor.as_mut_slice::<u32>()?[at] = value as u32,
        (DType::UInt64, Scalar::Unsigned(value)) => tensor.as_mut_slice::<u64>()?[at] = value,
        (DType::Bool, Scalar::Bool(value)) => tensor.as_mut_slice::<bool>()?[at] = value,
        (DType::String, Scalar::Bytes(value)) => tensor.as_mut_slice::<TString>()?[at] = TString::new(value),
        _ => return Err(Error::internal(format!("{value:?} is no element of {dtype}"))),
    }
    Ok(())
}
