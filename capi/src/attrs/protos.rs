//! Getters of attrs as serialized messages.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_Buffer, TF_Operation};
use oplink_api::PartialShape;
use oplink_graph::{attr_to_proto, shape_to_proto};
use oplink_host::buffer::from_bytes;
use oplink_host::c_api;
use oplink_host::guard::{slice_mut, text};
use oplink_proto::to_bytes;

use super::{attr_by_kind, elements, value_of};
use crate::graph::operation_of;
use crate::support::fill;

c_api! {
    /// A shape as a serialized `TensorShapeProto`.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_OperationGetAttrTensorShapeProto(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        value: *mut TF_Buffer;
        status
    ) {
        let shape: PartialShape = attr_by_kind(operation, name)?;
        // SAFETY: `value` is null or a live buffer that nobody else uses.
        unsafe { fill(value, &to_bytes(&shape_to_proto(&shape)), NAME, "value") }
    }

    /// Shapes as serialized `TensorShapeProto`s, as many as fit, in buffers that the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `values` has `max_values` slots.
    fn TF_OperationGetAttrTensorShapeProtoList(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        values as slots: *mut *mut TF_Buffer => { slice_mut(values, max_values, NAME, "values") },
        max_values: c_int;
        status
    ) {
        let shapes: Vec<PartialShape> = elements(value_of(operation, name)?, name)?;
        let each = shapes.iter().map(|shape| from_bytes(&to_bytes(&shape_to_proto(shape))));
        slots.iter_mut().zip(each).for_each(|(slot, buffer)| *slot = buffer);
        Ok(())
    }

    /// Any value as a serialized `AttrValue`.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_OperationGetAttrValueProto(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text,
        output_attr_value: *mut TF_Buffer;
        status
    ) {
        let bytes = to_bytes(&attr_to_proto(value_of(operation, name)?)?);
        // SAFETY: `output_attr_value` is null or a live buffer that nobody else uses.
        unsafe { fill(output_attr_value, &bytes, NAME, "output_attr_value") }
    }
}
