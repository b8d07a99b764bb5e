//! Attrs of a node: as its kernel's construction tells them, and as shape inference does.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use oplink_abi::onnxruntime::{OrtKernelInfo, OrtShapeInferContext, OrtStatus, attr_type};
use oplink_api::spec::{AttrSpec, ScalarKind};
use oplink_api::{AttrValue, DType, Error, PartialShape, Result};
use oplink_hosts_common::{HostedOp, attr_of_text};
use smallvec::SmallVec;

use crate::dtypes;
use crate::functions::Ort;

/// A value of one of ONNX's kinds.
enum Value {
    Int(i64),
    Float(f32),
    Text(Vec<u8>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
}

/// What tells attrs.
pub(crate) enum Source {
    /// The construction of a kernel.
    Kernel(*const OrtKernelInfo),
    /// Shape inference.
    Inference(*const OrtShapeInferContext),
}

/// The values of the attrs that a node of the op gives; `None` for those that it does not have.
///
/// # Safety
/// The source is alive.
pub(crate) unsafe fn given(ort: &Ort, op: &HostedOp, source: &Source) -> Result<SmallVec<[Option<AttrValue>; 4]>> {
    let read = |attr: &AttrSpec| {
        let name = CString::new(attr.name.as_str()).unwrap_or_default();
        // SAFETY: the source is alive (Safety section), the name terminated.
        let value = unsafe {
            match source {
                Source::Kernel(info) => of_kernel(ort, *info, name.as_ptr()),
                Source::Inference(context) => of_inference(ort, *context, name.as_ptr()),
            }
        };
        value.map(|value| convert(attr, value)).transpose()
    };
    op.given_attrs().map(read).collect()
}

/// Whether a call succeeded; what it says is freed.
///
/// # Safety
/// The status is null or the caller's to free.
unsafe fn is_ok(ort: &Ort, status: *mut OrtStatus) -> bool {
    // SAFETY: the contract of this function.
    unsafe { ort.check(status) }.is_ok()
}

/// # Safety
/// The construction is alive, the name terminated.
unsafe fn of_kernel(ort: &Ort, info: *const OrtKernelInfo, name: *const c_char) -> Option<Value> {
    let (mut int, mut float, mut size) = (0, 0.0, 0);
    // SAFETY: the contract of this function; places are written to, arrays are as long as was told.
    unsafe {
        if is_ok(ort, (ort.attr_int)(info, name, &raw mut int)) {
            return Some(Value::Int(int));
        }
        if is_ok(ort, (ort.attr_float)(info, name, &raw mut float)) {
            return Some(Value::Float(float));
        }
        if is_ok(ort, (ort.attr_string)(info, name, ptr::null_mut(), &raw mut size)) {
            let mut text = vec![0u8; size];
            is_ok(ort, (ort.attr_string)(info, name, text.as_mut_ptr().cast(), &raw mut size));
            text.pop();
            return Some(Value::Text(text));
        }
        // A list of numbers of another kind is told as one without elements.
        let (mut num_ints, mut num_floats) = (0, 0);
        let is_ints = is_ok(ort, (ort.attr_ints)(info, name, ptr::null_mut(), &raw mut num_ints));
        let is_floats = is_ok(ort, (ort.attr_floats)(info, name, ptr::null_mut(), &raw mut num_floats));
        if is_floats && num_floats > 0 {
            let mut floats = vec![0f32; num_floats];
            is_ok(ort, (ort.attr_floats)(info, name, floats.as_mut_ptr(), &raw mut num_floats));
            return Some(Value::Floats(floats));
        }
        if is_ints || is_floats {
            let mut ints = vec![0i64; num_ints];
            is_ok(ort, (ort.attr_ints)(info, name, ints.as_mut_ptr(), &raw mut num_ints));
            return Some(Value::Ints(ints));
        }
    }
    None
}

/// # Safety
/// The context is alive, the name terminated.
unsafe fn of_inference(ort: &Ort, context: *const OrtShapeInferContext, name: *const c_char) -> Option<Value> {
    let mut attr = ptr::null();
    // SAFETY: the contract of this function; places are written to, and have the lengths that are told.
    unsafe {
        if !is_ok(ort, (ort.infer_attr)(context, name, &raw mut attr)) || attr.is_null() {
            return None;
        }
        let bytes_of = |kind: c_int| {
            let mut needed = 0;
            let status = (ort.read_attr)(attr, kind, ptr::null_mut(), 0, &raw mut needed);
            let is_kind = is_ok(ort, status) || needed > 0;
            let mut bytes = vec![0u8; needed];
            let place = bytes.as_mut_ptr().cast::<c_void>();
            (is_kind && is_ok(ort, (ort.read_attr)(attr, kind, place, bytes.len(), &raw mut needed))).then_some(bytes)
        };
        if let Some(Ok(bytes)) = bytes_of(attr_type::INT).map(|bytes| bytes[..].try_into()) {
            return Some(Value::Int(i64::from_ne_bytes(bytes)));
        }
        if let Some(Ok(bytes)) = bytes_of(attr_type::FLOAT).map(|bytes| bytes[..].try_into()) {
            return Some(Value::Float(f32::from_ne_bytes(bytes)));
        }
        if let Some(mut bytes) = bytes_of(attr_type::STRING) {
            if bytes.last() == Some(&0) {
                bytes.pop();
            }
            return Some(Value::Text(bytes));
        }
        if let Some(bytes) = bytes_of(attr_type::INTS) {
            return Some(Value::Ints(bytes.as_chunks::<8>().0.iter().map(|one| i64::from_ne_bytes(*one)).collect()));
        }
        let floats = bytes_of(attr_type::FLOATS)?;
        Some(Value::Floats(floats.as_chunks::<4>().0.iter().map(|one| f32::from_ne_bytes(*one)).collect()))
    }
}

/// The value as the op declares it. A text is the value of a string, and of another kind a text in the op language.
fn convert(attr: &AttrSpec, value: Value) -> Result<AttrValue> {
    let kind = (attr.kind.scalar, attr.kind.list);
    let wrong = || Error::invalid_argument(format!("attr `{}` is of another kind than the op declares", attr.name));
    Ok(match (kind, value) {
        ((ScalarKind::String, false), Value::Text(text)) => AttrValue::String(text),
        ((ScalarKind::Int, false), Value::Int(v)) => AttrValue::Int(v),
        ((ScalarKind::Bool, false), Value::Int(v)) => AttrValue::Bool(v != 0),
        ((ScalarKind::Type, false), Value::Int(v)) => AttrValue::Type(dtype(v)?),
        ((ScalarKind::Float, false), Value::Float(v)) => AttrValue::Float(v),
        ((ScalarKind::Float, false), Value::Int(v)) => AttrValue::Float(v as f32),
        ((ScalarKind::Shape, false), Value::Ints(v)) => AttrValue::Shape(PartialShape::from_i64(Some(&v))?),
        ((ScalarKind::Int, true), Value::Ints(v)) => AttrValue::Ints(v),
        ((ScalarKind::Bool, true), Value::Ints(v)) => AttrValue::Bools(v.into_iter().map(|v| v != 0).collect()),
        ((ScalarKind::Type, true), Value::Ints(v)) => {
            AttrValue::Types(v.into_iter().map(dtype).collect::<Result<_>>()?)
        }
        ((ScalarKind::Float, true), Value::Floats(v)) => AttrValue::Floats(v),
        // ONNX has no lists without elements that tell of what.
        ((_, true), Value::Ints(v)) if v.is_empty() => AttrValue::EmptyList,
        ((_, true), Value::Floats(v)) if v.is_empty() => AttrValue::EmptyList,
        (_, Value::Text(text)) => attr_of_text(attr, std::str::from_utf8(&text).map_err(|_| wrong())?)?,
        _ => return Err(wrong()),
    })
}

/// The dtype of one of ONNX's numbers.
fn dtype(number: i64) -> Result<DType> {
    dtypes::from_ort(c_int::try_from(number).unwrap_or(0))
}
