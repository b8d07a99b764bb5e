//! Attrs as XLA tells them: scalars, arrays and strings.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};

use oplink_abi::xla_ffi::{XLA_FFI_Array, XLA_FFI_Attrs, XLA_FFI_ByteSpan, XLA_FFI_Scalar, attr_type, dtype};
use oplink_api::spec::{AttrSpec, ScalarKind};
use oplink_api::{AttrValue, Error, Result, bail};
use oplink_hosts_common::{Words, attr_of_text};

use crate::buffers::array;

/// An attr of a call.
#[derive(Clone, Copy)]
pub(crate) struct Attr<'a> {
    pub(crate) name: &'a [u8],
    kind: c_int,
    value: *const c_void,
}

/// The attrs of a call.
///
/// # Safety
/// All that the attrs point to lives for `'a`, and is as long as told.
#[inline]
pub(crate) unsafe fn attrs<'a>(attrs: &XLA_FFI_Attrs) -> impl Iterator<Item = Attr<'a>> {
    // SAFETY: the contract of this function.
    let (kinds, names, values) = unsafe {
        let (size, values) = (attrs.size, attrs.attrs.cast_const());
        (array(attrs.types, size), array(attrs.names, size), array::<*mut c_void>(values, size))
    };
    kinds.iter().zip(names).zip(values).filter_map(|((kind, name), value)| {
        // SAFETY: a name is a span of bytes.
        let name = unsafe { name.as_ref().map(|name| span(name)) }?;
        Some(Attr { name, kind: *kind, value: *value })
    })
}

/// # Safety
/// The bytes are there, and live for `'a`.
unsafe fn span<'a>(span: &XLA_FFI_ByteSpan) -> &'a [u8] {
    // SAFETY: the contract of this function.
    unsafe { array(span.ptr.cast::<u8>(), span.len as i64) }
}

/// A number of any width.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Attr<'_> {
    /// The value of an attr of the op. A text is the value of a string, and of another kind a text in the op language.
    pub(crate) fn value(&self, attr: &AttrSpec) -> Result<AttrValue> {
        let wrong = || Error::invalid_argument(format!("attr `{}` is of another kind than the op declares", attr.name));
        match self.kind {
            attr_type::STRING => {
                // SAFETY: an attr of this kind is a span of bytes.
                let bytes = unsafe { self.value.cast::<XLA_FFI_ByteSpan>().as_ref().map(|value| span(value)) };
                let bytes = bytes.ok_or_else(wrong)?;
                match (attr.kind.scalar, attr.kind.list, std::str::from_utf8(bytes)) {
                    (ScalarKind::String, false, _) => Ok(AttrValue::String(bytes.to_vec())),
                    (.., Ok(text)) => attr_of_text(attr, text),
                    _ => Err(wrong()),
                }
            }
            attr_type::SCALAR if !attr.kind.list => {
                // SAFETY: an attr of this kind is a scalar.
                let scalar = unsafe { self.value.cast::<XLA_FFI_Scalar>().as_ref() }.ok_or_else(wrong)?;
                // SAFETY: a scalar has one value.
                let number = unsafe { numbers(scalar.dtype, scalar.value, 1) }?;
                scalar_value(attr.kind.scalar, *number.first().ok_or_else(wrong)?).ok_or_else(wrong)
            }
            attr_type::ARRAY if attr.kind.list => {
                // SAFETY: an attr of this kind is an array.
                let values = unsafe { self.value.cast::<XLA_FFI_Array>().as_ref() }.ok_or_else(wrong)?;
                // SAFETY: an array has as many values as it tells.
                let numbers = unsafe { numbers(values.dtype, values.data, values.size) }?;
                list_value(attr.kind.scalar, &numbers).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }

    /// Tells the attr: its name, and its bytes as they are.
    #[inline]
    pub(crate) fn describe(&self, words: &mut impl Words) {
        words.bytes(self.name);
        match self.bytes() {
            Some((dtype, bytes)) => {
                words.number(self.kind as u64 | (dtype as u64) << 32);
                words.bytes(bytes);
            }
            None => words.unknown(),
        }
    }

    /// The dtype of a value and its bytes; `None` for what is no value of an attr.
    #[inline]
    fn bytes(&self) -> Option<(c_int, &[u8])> {
        // SAFETY: an attr of a kind is a value of that kind: a span of bytes, a scalar, or an array of as many values
        // as it tells.
        unsafe {
            match self.kind {
                attr_type::STRING => Some((0, span(self.value.cast::<XLA_FFI_ByteSpan>().as_ref()?))),
                attr_type::SCALAR => {
                    let scalar = self.value.cast::<XLA_FFI_Scalar>().as_ref()?;
                    Some((scalar.dtype, raw(scalar.dtype, scalar.value, 1)?))
                }
                attr_type::ARRAY => {
                    let values = self.value.cast::<XLA_FFI_Array>().as_ref()?;
                    Some((values.dtype, raw(values.dtype, values.data, values.size)?))
                }
                _ => None,
            }
        }
    }

    /// The numbers of an array of integers.
    pub(crate) fn lengths(&self) -> Result<Vec<u32>> {
        // SAFETY: an attr of this kind is an array.
        let values = unsafe { self.value.cast::<XLA_FFI_Array>().as_ref() }.filter(|_| self.kind == attr_type::ARRAY);
        let Some(values) = values else { bail!("the lengths of a call's lists are an array of int64") };
        // SAFETY: an array has as many values as it tells.
        let numbers = unsafe { numbers(values.dtype, values.data, values.size) }?;
        let length =
            |number: &Number| if let Number::Int(length) = number { u32::try_from(*length).ok() } else { None };
        let lengths: Option<Vec<u32>> = numbers.iter().map(length).collect();
        lengths.ok_or_else(|| Error::invalid_argument("the lengths of a call's lists are numbers of tensors"))
    }
}

fn scalar_value(kind: ScalarKind, number: Number) -> Option<AttrValue> {
    Some(match (kind, number) {
        (ScalarKind::Int, Number::Int(v)) => AttrValue::Int(v),
        (ScalarKind::Float, Number::Float(v)) => AttrValue::Float(v as f32),
        (ScalarKind::Float, Number::Int(v)) => AttrValue::Float(v as f32),
        (ScalarKind::Bool, Number::Bool(v)) => AttrValue::Bool(v),
        _ => return None,
    })
}

fn list_value(kind: ScalarKind, numbers: &[Number]) -> Option<AttrValue> {
    let values = numbers.iter().map(|number| scalar_value(kind, *number));
    Some(match kind {
        ScalarKind::Int => AttrValue::Ints(
            values.map(|v| if let Some(AttrValue::Int(v)) = v { Some(v) } else { None }).collect::<Option<_>>()?,
        ),
        ScalarKind::Float => AttrValue::Floats(
            values.map(|v| if let Some(AttrValue::Float(v)) = v { Some(v) } else { None }).collect::<Option<_>>()?,
        ),
        ScalarKind::Bool => AttrValue::Bools(
            values.map(|v| if let Some(AttrValue::Bool(v)) = v { Some(v) } else { None }).collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

/// The bytes of numbers; none where the dtype is one that no attr is taken of.
///
/// # Safety
/// There are as many values of the dtype at the address, which live for `'a`.
unsafe fn raw<'a>(number: c_int, data: *const c_void, count: usize) -> Option<&'a [u8]> {
    let size = match number {
        dtype::PRED | dtype::S8 | dtype::U8 => 1,
        dtype::S16 | dtype::U16 => 2,
        dtype::S32 | dtype::U32 | dtype::F32 => 4,
        dtype::S64 | dtype::U64 | dtype::F64 => 8,
        _ => return None,
    };
    // SAFETY: the contract of this function.
    Some(unsafe { array(data.cast::<u8>(), (size * count) as i64) })
}

/// # Safety
/// There are as many values of the dtype at the address, aligned or not.
unsafe fn numbers(number: c_int, data: *const c_void, count: usize) -> Result<Vec<Number>> {
    macro_rules! read {
        ($ty:ty, $make:expr) => {{
            let values = data.cast::<$ty>();
            // SAFETY: the contract of this function.
            (0..count).map(|at| $make(unsafe { values.add(at).read_unaligned() })).collect()
        }};
    }
    Ok(match number {
        dtype::PRED => read!(u8, |v| Number::Bool(v != 0)),
        dtype::S8 => read!(i8, |v| Number::Int(i64::from(v))),
        dtype::S16 => read!(i16, |v| Number::Int(i64::from(v))),
        dtype::S32 => read!(i32, |v| Number::Int(i64::from(v))),
        dtype::S64 => read!(i64, Number::Int),
        dtype::U8 => read!(u8, |v| Number::Int(i64::from(v))),
        dtype::U16 => read!(u16, |v| Number::Int(i64::from(v))),
        dtype::U32 => read!(u32, |v| Number::Int(i64::from(v))),
        dtype::F32 => read!(f32, |v| Number::Float(f64::from(v))),
        dtype::F64 => read!(f64, Number::Float),
        _ => bail!("attrs of XLA's dtype number {number} are not taken here"),
    })
}
