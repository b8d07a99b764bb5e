//! Getters of attrs that are one value.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Operation, TF_Tensor};
use oplink_api::{DType, PartialShape, Tensor};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice_mut, text};
use oplink_host::tensor::into_handle;

use super::{attr, attr_by_kind};
use crate::graph::operation_of;

c_api! {
    /// An integer.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
    fn TF_OperationGetAttrInt(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value as slot: *mut i64 => { borrow_mut(value, NAME, "value") };
        status
    ) {
        let value: i64 = attr(operation, name)?;
        *slot = value;
        Ok(())
    }

    /// A number.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
    fn TF_OperationGetAttrFloat(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value as slot: *mut f32 => { borrow_mut(value, NAME, "value") };
        status
    ) {
        let value: f32 = attr(operation, name)?;
        *slot = value;
        Ok(())
    }

    /// A truth value, 0 or 1.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
    fn TF_OperationGetAttrBool(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value as slot: *mut c_uchar => { borrow_mut(value, NAME, "value") };
        status
    ) {
        let value: bool = attr(operation, name)?;
        *slot = c_uchar::from(value);
        Ok(())
    }

    /// A dtype.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
    fn TF_OperationGetAttrType(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value as slot: *mut TF_DataType => { borrow_mut(value, NAME, "value") };
        status
    ) {
        let value: DType = attr(operation, name)?;
        *slot = value.number();
        Ok(())
    }

    /// A tensor, which the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` is null or a slot.
    fn TF_OperationGetAttrTensor(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value as slot: *mut *mut TF_Tensor => { borrow_mut(value, NAME, "value") };
        status
    ) {
        let value: Tensor = attr(operation, name)?;
        *slot = into_handle(value);
        Ok(())
    }

    /// A string, as many of its bytes as fit.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` has `max_length` bytes.
    fn TF_OperationGetAttrString(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value: *mut c_void,
        max_length: usize;
        status
    ) {
        let bytes: &[u8] = attr_by_kind(operation, name)?;
        let count = bytes.len().min(max_length);
        // SAFETY: `value` is null or has `max_length` bytes, of which `count` is no more.
        unsafe { slice_mut(value.cast::<u8>(), count, NAME, "value") }?.copy_from_slice(&bytes[..count]);
        Ok(())
    }

    /// The dims of a shape, as many as fit, -1 for each unknown one; nothing where the rank is unknown.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `value` has `num_dims` slots.
    fn TF_OperationGetAttrShape(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value: *mut i64,
        num_dims: c_int;
        status
    ) {
        let shape: PartialShape = attr(operation, name)?;
        let Some(dims) = shape.to_i64() else { return Ok(()) };
        let room = usize::try_from(num_dims).unwrap_or(0).min(dims.len());
        // SAFETY: `value` is null or has `num_dims` slots, of which `room` is no more.
        unsafe { slice_mut(value, room, NAME, "value") }?.copy_from_slice(&dims[..room]);
        Ok(())
    }
}
