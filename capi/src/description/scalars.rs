//! Setters of attrs that are one value.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_OperationDescription, TF_Status, TF_Tensor};
use oplink_api::{AttrValue, FuncAttr};
use oplink_host::guard::{slice, text};
use oplink_host::tensor::{dtype, value_of_handle};

use super::{set_attr, try_change};
use crate::support::{partial_shape, sized_text};

/// Sets a string.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrString(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    value: *const c_void,
    length: usize,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrString", || {
            Ok(AttrValue::String(slice(value.cast::<u8>(), length, "TF_SetAttrString", "value")?.to_vec()))
        });
    }
}

/// Sets an integer.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrInt(desc: *mut TF_OperationDescription, attr_name: *const c_char, value: i64) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(desc, attr_name, "TF_SetAttrInt", || Ok(AttrValue::Int(value))) }
}

/// Sets a number.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrFloat(desc: *mut TF_OperationDescription, attr_name: *const c_char, value: f32) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(desc, attr_name, "TF_SetAttrFloat", || Ok(AttrValue::Float(value))) }
}

/// Sets a truth value; anything but 0 is true.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrBool(desc: *mut TF_OperationDescription, attr_name: *const c_char, value: c_uchar) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(desc, attr_name, "TF_SetAttrBool", || Ok(AttrValue::Bool(value != 0))) }
}

/// Sets a dtype.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrType(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    value: TF_DataType,
) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(desc, attr_name, "TF_SetAttrType", || Ok(AttrValue::Type(dtype(value)?))) }
}

/// Leaves the value to the function that the node will be part of.
///
/// # Safety
/// The handle is null or alive; the strings are null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrPlaceholder(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    placeholder: *const c_char,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrPlaceholder", || {
            Ok(AttrValue::Placeholder(text(placeholder, "TF_SetAttrPlaceholder", "placeholder")?.to_owned()))
        });
    }
}

/// Sets a function without attrs of its own.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrFuncName(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    value: *const c_char,
    length: usize,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrFuncName", || {
            let name = sized_text(value, length, "TF_SetAttrFuncName", "value")?.to_owned();
            Ok(AttrValue::Func(FuncAttr { name, ..FuncAttr::default() }))
        });
    }
}

/// Sets a shape; a negative rank is an unknown one, a dim of -1 an unknown one.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrShape(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    dims: *const i64,
    num_dims: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrShape", || {
            Ok(AttrValue::Shape(partial_shape(dims, num_dims, "TF_SetAttrShape")?))
        });
    }
}

/// Sets a tensor, which the client may delete afterwards.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrTensor(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    value: *mut TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetAttrTensor";
    // SAFETY: the caller's contract.
    unsafe {
        try_change(desc, NAME, status, |description| {
            let name = text(attr_name, NAME, "attr_name")?;
            let value = value_of_handle(value, NAME, "value")?.deep_copy()?;
            description.set(name, AttrValue::Tensor(value));
            Ok(())
        });
    }
}
