//! Setters of attrs from serialized messages.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};

use oplink_abi::{TF_OperationDescription, TF_Status};
use oplink_api::{AttrValue, PartialShape, Result};
use oplink_graph::{attr_from_proto, shape_from_proto};
use oplink_host::guard::{slice, text};
use oplink_proto::TensorShapeProto;

use super::try_change;
use crate::support::{MAX_CONSTANT_BYTES, message};

/// A shape of a serialized `TensorShapeProto`.
///
/// # Safety
/// As `guard::slice`.
unsafe fn shape(proto: *const c_void, length: usize, function: &str, argument: &str) -> Result<PartialShape> {
    // SAFETY: the caller's contract.
    let shape: TensorShapeProto = unsafe { message(proto, length, function, argument) }?;
    shape_from_proto(&shape)
}

/// Sets a shape that is a serialized `TensorShapeProto`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `proto` holds `proto_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrTensorShapeProto(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    proto: *const c_void,
    proto_len: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetAttrTensorShapeProto";
    // SAFETY: the caller's contract.
    unsafe {
        try_change(desc, NAME, status, |description| {
            let name = text(attr_name, NAME, "attr_name")?;
            description.set(name, AttrValue::Shape(shape(proto, proto_len, NAME, "proto")?));
            Ok(())
        });
    }
}

/// Sets a list of shapes that are serialized `TensorShapeProto`s.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; the arrays have `num_shapes` elements,
/// each of `protos` as many bytes as `proto_lens` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrTensorShapeProtoList(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    protos: *const *const c_void,
    proto_lens: *const usize,
    num_shapes: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetAttrTensorShapeProtoList";
    // SAFETY: the caller's contract.
    unsafe {
        try_change(desc, NAME, status, |description| {
            let name = text(attr_name, NAME, "attr_name")?;
            let protos = slice(protos, num_shapes, NAME, "protos")?;
            let lengths = slice(proto_lens, num_shapes, NAME, "proto_lens")?;
            let shapes = protos.iter().zip(lengths).map(|(&proto, &length)| shape(proto, length, NAME, "protos"));
            description.set(name, AttrValue::Shapes(shapes.collect::<Result<_>>()?));
            Ok(())
        });
    }
}

/// Sets any value, from a serialized `AttrValue`.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; `proto` holds `proto_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetAttrValueProto(
    desc: *mut TF_OperationDescription,
    attr_name: *const c_char,
    proto: *const c_void,
    proto_len: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetAttrValueProto";
    // SAFETY: the caller's contract.
    unsafe {
        try_change(desc, NAME, status, |description| {
            let name = text(attr_name, NAME, "attr_name")?;
            let value: oplink_proto::AttrValue = message(proto, proto_len, NAME, "proto")?;
            description.set(name, attr_from_proto(&value, MAX_CONSTANT_BYTES)?);
            Ok(())
        });
    }
}
