//! Getters of attrs that are one value.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Operation, TF_Status, TF_Tensor};
use oplink_api::{DType, PartialShape, Tensor};
use oplink_host::guard::{borrow_mut, slice_mut};
use oplink_host::tensor::into_handle;

use super::{as_kind, read, read_as};

/// An integer.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrInt(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut i64,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrInt", status, |attr: i64| {
            *borrow_mut(value, "TF_OperationGetAttrInt", "value")? = attr;
            Ok(())
        });
    }
}

/// A number.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrFloat(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut f32,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrFloat", status, |attr: f32| {
            *borrow_mut(value, "TF_OperationGetAttrFloat", "value")? = attr;
            Ok(())
        });
    }
}

/// A truth value, 0 or 1.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrBool(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut c_uchar,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrBool", status, |attr: bool| {
            *borrow_mut(value, "TF_OperationGetAttrBool", "value")? = c_uchar::from(attr);
            Ok(())
        });
    }
}

/// A dtype.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrType(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut TF_DataType,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrType", status, |attr: DType| {
            *borrow_mut(value, "TF_OperationGetAttrType", "value")? = attr.number();
            Ok(())
        });
    }
}

/// A tensor, which the client deletes.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrTensor(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut *mut TF_Tensor,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrTensor", status, |attr: Tensor| {
            *borrow_mut(value, "TF_OperationGetAttrTensor", "value")? = into_handle(attr);
            Ok(())
        });
    }
}

/// A string, as many of its bytes as fit.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` has `max_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrString(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut c_void,
    max_length: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrString";
    // SAFETY: the caller's contract.
    unsafe {
        read(oper, attr_name, NAME, status, (), |attr, name, _| {
            let bytes: &[u8] = as_kind(attr, name)?;
            let count = bytes.len().min(max_length);
            slice_mut(value.cast::<u8>(), count, NAME, "value")?.copy_from_slice(&bytes[..count]);
            Ok(())
        });
    }
}

/// The dims of a shape, as many as fit, -1 for each unknown one; nothing where the rank is unknown.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` has `num_dims` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrShape(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut i64,
    num_dims: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrShape";
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, NAME, status, |attr: PartialShape| {
            let Some(dims) = attr.to_i64() else { return Ok(()) };
            let room = usize::try_from(num_dims).unwrap_or(0).min(dims.len());
            slice_mut(value, room, NAME, "value")?.copy_from_slice(&dims[..room]);
            Ok(())
        });
    }
}
