//! Setters of attrs that are lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_OperationDescription, TF_Status, TF_Tensor};
use oplink_api::{AttrValue, Result};
use oplink_host::guard::{slice, text};
use oplink_host::tensor::{dtype, value_of_handle};

use super::{set_attr, try_change};
use crate::support::partial_shape;

/// Sets a list of strings.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrStringList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const *const c_void,
    lengths: *const usize,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrStringList", || {
            let values = slice(values, num_values, "TF_SetAttrStringList", "values")?;
            let lengths = slice(lengths, num_values, "TF_SetAttrStringList", "lengths")?;
            let one = |(value, length): (&*const c_void, &usize)| {
                slice(value.cast::<u8>(), *length, "TF_SetAttrStringList", "values").map(<[u8]>::to_vec)
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
pub unsafe extern "C" fn TF_SetAttrIntList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const i64,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrIntList", || {
            let values = slice(values, num_values, "TF_SetAttrIntList", "values")?;
            Ok(AttrValue::Ints(values.to_vec()))
        });
    }
}

/// Sets a list of numbers.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrFloatList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const f32,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrFloatList", || {
            let values = slice(values, num_values, "TF_SetAttrFloatList", "values")?;
            Ok(AttrValue::Floats(values.to_vec()))
        });
    }
}

/// Sets a list of truth values; anything but 0 is true.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrBoolList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const c_uchar,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrBoolList", || {
            let values = slice(values, num_values, "TF_SetAttrBoolList", "values")?;
            Ok(AttrValue::Bools(values.iter().map(|value| *value != 0).collect()))
        });
    }
}

/// Sets a list of dtypes.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrTypeList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const TF_DataType,
    num_values: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrTypeList", || {
            let values = slice(values, num_values, "TF_SetAttrTypeList", "values")?;
            Ok(AttrValue::Types(values.iter().map(|&value| dtype(value)).collect::<Result<_>>()?))
        });
    }
}

/// Sets a list of shapes; see `TF_SetAttrShape`.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrShapeList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    dims: *const *const i64,
    num_dims: *const c_int,
    num_shapes: c_int,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(desc, attr_name, "TF_SetAttrShapeList", || {
            let dims = slice(dims, num_shapes, "TF_SetAttrShapeList", "dims")?;
            let ranks = slice(num_dims, num_shapes, "TF_SetAttrShapeList", "num_dims")?;
            let shapes = dims.iter().zip(ranks).map(|(&dims, &rank)| partial_shape(dims, rank, "TF_SetAttrShapeList"));
            Ok(AttrValue::Shapes(shapes.collect::<Result<_>>()?))
        });
    }
}

/// Sets a list of tensors, which the client may delete afterwards.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` holds `num_values` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrTensorList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    values: *const *mut TF_Tensor,
    num_values: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetAttrTensorList";
    // SAFETY: the caller's contract.
    unsafe {
        try_change(desc, NAME, status, |description| {
            let name = text(attr_name, NAME, "attr_name")?;
            let values = slice(values, num_values, NAME, "values")?;
            let values = values.iter().map(|&value| value_of_handle(value, NAME, "values")?.deep_copy());
            description.set(name, AttrValue::Tensors(values.collect::<Result<_>>()?));
            Ok(())
        });
    }
}
