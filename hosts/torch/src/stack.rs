//! What a boxed kernel takes off the stack.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::torch::{StableIValue, StableListOpaque, StringOpaque};
use oplink_api::spec::{AttrSpec, ScalarKind};
use oplink_api::{AttrValue, DType, PartialShape, Result, bail};

use crate::dtypes;
use crate::functions::{Torch, check};
use crate::schema::{UNKNOWN_RANK, is_optional};
use crate::tensors::Handle;

fn pointer<T>(value: StableIValue) -> *mut T {
    ptr::with_exposed_provenance_mut(value as usize)
}

/// The tensor of a value.
///
/// # Safety
/// The value is a tensor, and the kernel's to free.
pub(crate) unsafe fn tensor(torch: &'static Torch, value: StableIValue) -> Result<Handle> {
    // SAFETY: the value is the handle of a tensor (Safety section).
    unsafe { Handle::new(torch, pointer(value)) }
}

/// The tensors of a list.
///
/// # Safety
/// The value is a list of tensors, and the kernel's to free.
pub(crate) unsafe fn tensors(torch: &'static Torch, value: StableIValue) -> Result<Vec<Handle>> {
    // SAFETY: the contract of this function; so is each element.
    unsafe { list(torch, value)?.into_iter().map(|value| tensor(torch, value)).collect() }
}

/// The value of an attr; `None` for the default, where the schema has an optional type.
///
/// # Safety
/// The value is of the type that the schema has for the attr, and the kernel's to free.
pub(crate) unsafe fn attr(torch: &'static Torch, attr: &AttrSpec, value: StableIValue) -> Result<Option<AttrValue>> {
    // SAFETY: the schema tells the value's type (Safety section).
    unsafe {
        match is_optional(attr) {
            true => optional(torch, value).map(|value| self::value(torch, attr, value)).transpose(),
            false => self::value(torch, attr, value).map(Some),
        }
    }
}

/// What is in an optional value, which is freed.
///
/// # Safety
/// The value is of an optional type, and the kernel's to free.
unsafe fn optional(torch: &Torch, value: StableIValue) -> Option<StableIValue> {
    let place = pointer::<StableIValue>(value);
    // SAFETY: null for none, or a place that PyTorch allocated, by `new` where it has no function to free it.
    unsafe {
        let value = place.as_ref().copied()?;
        match torch.torch_delete_stable_ivalue {
            Some(delete) => _ = delete(place),
            None => libc::free(place.cast()),
        }
        Some(value)
    }
}

/// # Safety
/// As [`attr`], of the type without `?`.
unsafe fn value(torch: &'static Torch, attr: &AttrSpec, value: StableIValue) -> Result<AttrValue> {
    // SAFETY: the schema tells the values' types (Safety section).
    unsafe {
        Ok(match (attr.kind.scalar, attr.kind.list) {
            (ScalarKind::Int, false) => AttrValue::Int(value as i64),
            (ScalarKind::Float, false) => AttrValue::Float(f64::from_bits(value) as f32),
            (ScalarKind::Bool, false) => AttrValue::Bool(value & 0xff != 0),
            (ScalarKind::String, false) => AttrValue::String(string(torch, value)?),
            (ScalarKind::Type, false) => AttrValue::Type(dtype(value)?),
            (ScalarKind::Shape, false) => AttrValue::Shape(shape(&list(torch, value)?)?),
            (ScalarKind::Int, true) => AttrValue::Ints(list(torch, value)?.into_iter().map(|v| v as i64).collect()),
            (ScalarKind::Float, true) => {
                AttrValue::Floats(list(torch, value)?.into_iter().map(|v| f64::from_bits(v) as f32).collect())
            }
            (ScalarKind::Bool, true) => {
                AttrValue::Bools(list(torch, value)?.into_iter().map(|v| v & 0xff != 0).collect())
            }
            (ScalarKind::Type, true) => {
                AttrValue::Types(list(torch, value)?.into_iter().map(dtype).collect::<Result<_>>()?)
            }
            (ScalarKind::String, true) => {
                let texts = list(torch, value)?.into_iter().map(|value| string(torch, value));
                AttrValue::Strings(texts.collect::<Result<_>>()?)
            }
            _ => bail!("attr `{}` is of a kind that PyTorch has no values of", attr.name),
        })
    }
}

fn dtype(value: StableIValue) -> Result<DType> {
    dtypes::from_torch(value as u32 as i32)
}

fn shape(dims: &[StableIValue]) -> Result<PartialShape> {
    match dims {
        [one] if *one as i64 == UNKNOWN_RANK => Ok(PartialShape::unknown()),
        dims => PartialShape::from_i64(Some(&dims.iter().map(|&dim| dim as i64).collect::<Vec<_>>())),
    }
}

/// # Safety
/// The value is a list, and the kernel's to free.
unsafe fn list(torch: &'static Torch, value: StableIValue) -> Result<Vec<StableIValue>> {
    let list = pointer::<StableListOpaque>(value);
    let mut size = 0;
    let mut values = Vec::new();
    // SAFETY: the list is alive until it is deleted, once; places are written to.
    unsafe {
        let mut read = check((torch.torch_list_size)(list, &raw mut size), "the size of a list");
        for at in 0..size {
            let mut value = 0;
            let code = (torch.torch_list_get_item)(list, at, &raw mut value);
            read = read.and(check(code, "an element of a list"));
            values.push(value);
        }
        let deleted = check((torch.torch_delete_list)(list), "to end a list");
        read.and(deleted).map(|()| values)
    }
}

/// # Safety
/// The value is a string, and the kernel's to free.
unsafe fn string(torch: &'static Torch, value: StableIValue) -> Result<Vec<u8>> {
    let text = pointer::<StringOpaque>(value);
    let (mut length, mut data) = (0, ptr::null::<c_char>());
    // SAFETY: the string is alive until it is deleted, once; it has as many bytes as it tells.
    unsafe {
        let read = check((torch.torch_string_length)(text, &raw mut length), "the length of a string")
            .and(check((torch.torch_string_c_str)(text, &raw mut data), "the bytes of a string"));
        let bytes = match read {
            Ok(()) if length > 0 && !data.is_null() => std::slice::from_raw_parts(data.cast::<u8>(), length).to_vec(),
            _ => Vec::new(),
        };
        let deleted = check((torch.torch_delete_string)(text), "to end a string");
        read.and(deleted).map(|()| bytes)
    }
}
