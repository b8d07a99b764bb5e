//! Setters of attrs from serialized messages.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};

use oplink_abi::TF_OperationDescription;
use oplink_api::{AttrValue, PartialShape, Result};
use oplink_graph::{attr_from_proto, shape_from_proto};
use oplink_host::guard::slice;
use oplink_proto::TensorShapeProto;

use super::attr_setters;
use crate::support::{MAX_CONSTANT_BYTES, message};

/// A shape of a serialized `TensorShapeProto`.
///
/// # Errors
/// The bytes are null or no such message, or a dim is below -1.
///
/// # Safety
/// `proto` is null or has `length` bytes.
unsafe fn shape(proto: *const c_void, length: usize, function: &str, argument: &str) -> Result<PartialShape> {
    // SAFETY: `proto` is null or has `length` bytes.
    let shape: TensorShapeProto = unsafe { message(proto, length, function, argument) }?;
    shape_from_proto(&shape)
}

attr_setters! {
    /// Sets a shape that is a serialized `TensorShapeProto`.
    reported [TF_OperationDescription TF_SetAttrTensorShapeProto] (proto: *const c_void, proto_len: usize) {
        Ok(AttrValue::Shape(shape(proto, proto_len, NAME, "proto")?))
    }

    /// Sets a list of shapes that are serialized `TensorShapeProto`s, each of `protos` as many bytes as `proto_lens`
    /// has.
    reported [TF_OperationDescription TF_SetAttrTensorShapeProtoList]
    (protos: *const *const c_void, proto_lens: *const usize, num_shapes: c_int) {
        let protos = slice(protos, num_shapes, NAME, "protos")?;
        let lengths = slice(proto_lens, num_shapes, NAME, "proto_lens")?;
        let shapes = protos.iter().zip(lengths).map(|(&proto, &length)| shape(proto, length, NAME, "protos"));
        Ok(AttrValue::Shapes(shapes.collect::<Result<_>>()?))
    }

    /// Sets any value, from a serialized `AttrValue`.
    reported [TF_OperationDescription TF_SetAttrValueProto] (proto: *const c_void, proto_len: usize) {
        let value: oplink_proto::AttrValue = message(proto, proto_len, NAME, "proto")?;
        attr_from_proto(&value, MAX_CONSTANT_BYTES)
    }
}
