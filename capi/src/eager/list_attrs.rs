//! Setters of a call's attrs that are lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Status, TFE_Op};
use oplink_api::{AttrValue, Result};
use oplink_host::guard::slice;
use oplink_host::tensor::dtype;

use super::EagerOp;
use super::attrs::{set_attr, try_set};
use crate::support::partial_shape;

/// Sets a list of strings.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrStringList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    values: *const *const c_void,
    lengths: *const usize,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrStringList", || {
            let values = slice(values, num_values, "TFE_OpSetAttrStringList", "values")?;
            let lengths = slice(lengths, num_values, "TFE_OpSetAttrStringList", "lengths")?;
            let one = |(value, length): (&*const c_void, &usize)| {
                slice(value.cast::<u8>(), *length, "TFE_OpSetAttrStringList", "values").map(<[u8]>::to_vec)
            };
            Ok(AttrValue::Strings(values.iter().zip(lengths).map(one).collect::<Result<_>>()?))
        });
    }
}

/// Sets a list of integers.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrIntList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    values: *const i64,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrIntList", || {
            let values = slice(values, num_values, "TFE_OpSetAttrIntList", "values")?;
            Ok(AttrValue::Ints(values.to_vec()))
        });
    }
}

/// Sets a list of numbers.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrFloatList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    values: *const f32,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrFloatList", || {
            let values = slice(values, num_values, "TFE_OpSetAttrFloatList", "values")?;
            Ok(AttrValue::Floats(values.to_vec()))
        });
    }
}

/// Sets a list of truth values; anything but 0 is true.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrBoolList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    values: *const c_uchar,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrBoolList", || {
            let values = slice(values, num_values, "TFE_OpSetAttrBoolList", "values")?;
            Ok(AttrValue::Bools(values.iter().map(|value| *value != 0).collect()))
        });
    }
}

/// Sets a list of dtypes.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrTypeList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    values: *const TF_DataType,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrTypeList", || {
            let values = slice(values, num_values, "TFE_OpSetAttrTypeList", "values")?;
            Ok(AttrValue::Types(values.iter().map(|&value| dtype(value)).collect::<Result<_>>()?))
        });
    }
}

/// Sets a list of shapes; see `TFE_OpSetAttrShape`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; the arrays have the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrShapeList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    dims: *mut *const i64,
    num_dims: *const c_int,
    num_values: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TFE_OpSetAttrShapeList";
    // SAFETY: the caller's contract.
    unsafe {
        try_set(op, attr_name, NAME, status, || {
            let dims = slice(dims.cast_const(), num_values, NAME, "dims")?;
            let ranks = slice(num_dims, num_values, NAME, "num_dims")?;
            let shapes = dims.iter().zip(ranks).map(|(&dims, &rank)| partial_shape(dims, rank, NAME));
            Ok(AttrValue::Shapes(shapes.collect::<Result<_>>()?))
        });
    }
}

/// Sets a list of functions; see `TFE_OpSetAttrFunction`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `value` holds `num_values` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrFunctionList(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    value: *mut *const TFE_Op,
    num_values: c_int,
) {
    const NAME: &str = "TFE_OpSetAttrFunctionList";
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, NAME, || {
            let calls = slice(value.cast_const(), num_values, NAME, "value")?;
            let functions = calls.iter().map(|&call| Ok(EagerOp::borrow(call, NAME)?.as_function()));
            Ok(AttrValue::Funcs(functions.collect::<Result<_>>()?))
        });
    }
}
