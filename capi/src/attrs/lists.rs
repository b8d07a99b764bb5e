//! Getters of attrs that are lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Operation, TF_Status, TF_Tensor};
use oplink_api::{DType, Error, PartialShape, Result, Tensor};
use oplink_host::guard::slice_mut;
use oplink_host::tensor::into_handle;

use super::read_as;

/// Integers, as many as fit.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrIntList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut i64,
    max_values: c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrIntList", status, |attr: Vec<i64>| {
            let slots = slice_mut(values, max_values, "TF_OperationGetAttrIntList", "values")?;
            slots.iter_mut().zip(attr).for_each(|(slot, value)| *slot = value);
            Ok(())
        });
    }
}

/// Numbers, as many as fit.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrFloatList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut f32,
    max_values: c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrFloatList", status, |attr: Vec<f32>| {
            let slots = slice_mut(values, max_values, "TF_OperationGetAttrFloatList", "values")?;
            slots.iter_mut().zip(attr).for_each(|(slot, value)| *slot = value);
            Ok(())
        });
    }
}

/// Truth values, as many as fit.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrBoolList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut c_uchar,
    max_values: c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrBoolList", status, |attr: Vec<bool>| {
            let slots = slice_mut(values, max_values, "TF_OperationGetAttrBoolList", "values")?;
            slots.iter_mut().zip(attr).for_each(|(slot, value)| *slot = c_uchar::from(value));
            Ok(())
        });
    }
}

/// Dtypes, as many as fit.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrTypeList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut TF_DataType,
    max_values: c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrTypeList", status, |attr: Vec<DType>| {
            let slots = slice_mut(values, max_values, "TF_OperationGetAttrTypeList", "values")?;
            slots.iter_mut().zip(attr).for_each(|(slot, value)| *slot = value.number());
            Ok(())
        });
    }
}

/// Tensors, as many as fit, which the client deletes.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrTensorList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut *mut TF_Tensor,
    max_values: c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, "TF_OperationGetAttrTensorList", status, |attr: Vec<Tensor>| {
            let slots = slice_mut(values, max_values, "TF_OperationGetAttrTensorList", "values")?;
            slots.iter_mut().zip(attr).for_each(|(slot, value)| *slot = into_handle(value));
            Ok(())
        });
    }
}

#[cold]
fn no_room(function: &str, needed: usize, room: usize) -> Error {
    Error::invalid_argument(format!("{function}: the values take {needed}, `storage_size` is {room}"))
}

/// Strings, as many as fit: their bytes go to `storage`, and `values` and `lengths` say where they are.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` and `lengths` have `max_values`
/// slots, `storage` has `storage_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrStringList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut *mut c_void,
    lengths: *mut usize,
    max_values: c_int,
    storage: *mut c_void,
    storage_size: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrStringList";
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, NAME, status, |attr: Vec<Vec<u8>>| -> Result<()> {
            let values = slice_mut(values, max_values, NAME, "values")?;
            let lengths = slice_mut(lengths, max_values, NAME, "lengths")?;
            let needed = attr.iter().take(values.len()).map(Vec::len).sum();
            if needed > storage_size {
                return Err(no_room(NAME, needed, storage_size));
            }
            let mut room = slice_mut(storage.cast::<u8>(), needed, NAME, "storage")?;
            for ((value, length), bytes) in values.iter_mut().zip(lengths).zip(&attr) {
                let (here, rest) = room.split_at_mut(bytes.len());
                here.copy_from_slice(bytes);
                (*value, *length, room) = (here.as_mut_ptr().cast(), bytes.len(), rest);
            }
            Ok(())
        });
    }
}

/// Shapes, as many as fit: their dims go to `storage`, and `dims` and `num_dims` say where they are. A shape of unknown
/// rank has null and -1.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `dims` and `num_dims` have `num_shapes`
/// slots, `storage` has `storage_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrShapeList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    dims: *mut *mut i64,
    num_dims: *mut c_int,
    num_shapes: c_int,
    storage: *mut i64,
    storage_size: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrShapeList";
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, NAME, status, |attr: Vec<PartialShape>| -> Result<()> {
            let dims = slice_mut(dims, num_shapes, NAME, "dims")?;
            let ranks = slice_mut(num_dims, num_shapes, NAME, "num_dims")?;
            let needed = attr.iter().take(dims.len()).filter_map(PartialShape::rank).sum();
            let room = usize::try_from(storage_size).unwrap_or(0);
            if needed > room {
                return Err(no_room(NAME, needed, room));
            }
            let mut room = slice_mut(storage, needed, NAME, "storage")?;
            for ((dims, rank), shape) in dims.iter_mut().zip(ranks).zip(&attr) {
                let Some(known) = shape.to_i64() else {
                    (*dims, *rank) = (std::ptr::null_mut(), -1);
                    continue;
                };
                let (here, rest) = room.split_at_mut(known.len());
                here.copy_from_slice(&known);
                (*dims, *rank, room) = (here.as_mut_ptr(), known.len() as c_int, rest);
            }
            Ok(())
        });
    }
}
