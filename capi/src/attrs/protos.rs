//! Getters of attrs as serialized messages.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Buffer, TF_Operation, TF_Status};
use oplink_api::PartialShape;
use oplink_graph::{attr_to_proto, shape_to_proto};
use oplink_host::buffer::from_bytes;
use oplink_host::guard::slice_mut;
use oplink_proto::to_bytes;

use super::{read, read_as};
use crate::support::fill;

/// A shape as a serialized `TensorShapeProto`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrTensorShapeProto(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    value: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrTensorShapeProto";
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, NAME, status, |attr: PartialShape| {
            fill(value, &to_bytes(&shape_to_proto(&attr)), NAME, "value")
        });
    }
}

/// Shapes as serialized `TensorShapeProto`s, as many as fit, in buffers that the client deletes.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrTensorShapeProtoList(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    values: *mut *mut TF_Buffer,
    max_values: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrTensorShapeProtoList";
    // SAFETY: the caller's contract.
    unsafe {
        read_as(oper, attr_name, NAME, status, |attr: Vec<PartialShape>| {
            let slots = slice_mut(values, max_values, NAME, "values")?;
            let each = attr.iter().map(|shape| from_bytes(&to_bytes(&shape_to_proto(shape))));
            slots.iter_mut().zip(each).for_each(|(slot, buffer)| *slot = buffer);
            Ok(())
        });
    }
}

/// Any value as a serialized `AttrValue`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetAttrValueProto(
    oper: *mut TF_Operation,
    attr_name: *const c_char,
    output_attr_value: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OperationGetAttrValueProto";
    // SAFETY: the caller's contract.
    unsafe {
        read(oper, attr_name, NAME, status, (), |value, _, _| {
            fill(output_attr_value, &to_bytes(&attr_to_proto(value)?), NAME, "output_attr_value")
        });
    }
}
