//! Getters of attrs that are lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Operation, TF_Tensor};
use oplink_api::{DType, Error, PartialShape, Tensor};
use oplink_host::c_api;
use oplink_host::guard::{slice_mut, text};
use oplink_host::tensor::into_handle;

use super::{elements, found, value_of};
use crate::graph::operation_of;

#[cold]
fn no_room(function: &str, needed: usize, room: usize) -> Error {
    Error::invalid_argument(format!("{function}: the values take {needed}, `storage_size` is {room}"))
}

c_api! {
    /// Integers, as many as fit.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrIntList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut i64 => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let values: Vec<i64> = elements(value_of(operation, name)?, name)?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
        Ok(())
    }

    /// Numbers, as many as fit.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrFloatList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut f32 => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let values: Vec<f32> = elements(value_of(operation, name)?, name)?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
        Ok(())
    }

    /// Truth values, as many as fit.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrBoolList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut c_uchar => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let values: Vec<bool> = elements(value_of(operation, name)?, name)?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = c_uchar::from(value));
        Ok(())
    }

    /// Dtypes, as many as fit.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrTypeList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut TF_DataType => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let values: Vec<DType> = elements(value_of(operation, name)?, name)?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value.number());
        Ok(())
    }

    /// Tensors, as many as fit, which the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrTensorList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut *mut TF_Tensor => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let values: Vec<Tensor> = elements(found(operation, name)?, name)?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = into_handle(value));
        Ok(())
    }

    /// Strings, as many as fit: their bytes go to `storage`, and `values` and `lengths` receive where they are.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` and `lengths` have
    /// `max_values` slots, `storage` has `storage_size` bytes.
    fn TF_OperationGetAttrStringList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values: *mut *mut c_void => (mut [max_values]),
        lengths: *mut usize => (mut [max_values]),
        max_values: c_int,
        storage: *mut c_void,
        storage_size: usize;
        status
    ) {
        let strings: Vec<Vec<u8>> = elements(value_of(operation, name)?, name)?;
        let needed = strings.iter().take(values.len()).map(Vec::len).sum();
        if needed > storage_size {
            return Err(no_room(NAME, needed, storage_size));
        }
        // SAFETY: `storage` is null or has `storage_size` bytes, of which `needed` is no more.
        let mut room = unsafe { slice_mut(storage.cast::<u8>(), needed, NAME, "storage") }?;
        for ((value, length), bytes) in values.iter_mut().zip(lengths).zip(&strings) {
            let (here, rest) = room.split_at_mut(bytes.len());
            here.copy_from_slice(bytes);
            (*value, *length, room) = (here.as_mut_ptr().cast(), bytes.len(), rest);
        }
        Ok(())
    }

    /// Shapes, as many as fit: their dims go to `storage`, and `dims` and `num_dims` receive where they are. A shape of
    /// unknown rank has null and -1.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `dims` and `num_dims` have
    /// `num_shapes` slots, `storage` has `storage_size`.
    fn TF_OperationGetAttrShapeList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        dims: *mut *mut i64 => (mut [num_shapes]),
        num_dims as ranks: *mut c_int => { slice_mut(num_dims, num_shapes, NAME, "num_dims") },
        num_shapes: c_int,
        storage: *mut i64,
        storage_size: c_int;
        status
    ) {
        let shapes: Vec<PartialShape> = elements(found(operation, name)?, name)?;
        let needed = shapes.iter().take(dims.len()).filter_map(PartialShape::rank).sum();
        let room = usize::try_from(storage_size).unwrap_or(0);
        if needed > room {
            return Err(no_room(NAME, needed, room));
        }
        // SAFETY: `storage` is null or has `storage_size` slots, of which `needed` is no more.
        let mut room = unsafe { slice_mut(storage, needed, NAME, "storage") }?;
        for ((dims, rank), shape) in dims.iter_mut().zip(ranks).zip(&shapes) {
            let Some(known) = shape.to_i64() else {
                (*dims, *rank) = (std::ptr::null_mut(), -1);
                continue;
            };
            let (here, rest) = room.split_at_mut(known.len());
            here.copy_from_slice(&known);
            (*dims, *rank, room) = (here.as_mut_ptr(), known.len() as c_int, rest);
        }
        Ok(())
    }
}
