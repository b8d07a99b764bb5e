//! `TFE_OpAttrs`: the attrs of a call, to be read and given to other calls.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};

use oplink_abi::{TF_Buffer, TFE_Op, TFE_OpAttrs};
use oplink_api::spec::ArgType;
use oplink_api::{AttrValue, Error, FuncAttr, Result};
use oplink_core::attr_from_spec;
use oplink_graph::{attr_from_proto, attr_to_proto};
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_proto::attr_value::Value;
use oplink_proto::to_bytes;

use super::EagerOp;
use crate::set_attrs::AttrTarget;
use crate::support::{MAX_CONSTANT_BYTES, fill, message};

impl EagerOp {
    /// The attrs that were set, and the dtypes that follow from the inputs so far.
    pub(super) fn known_attrs(&self) -> Vec<(String, AttrValue)> {
        let mut attrs = self.attrs.clone();
        let mut inputs = self.inputs.iter();
        for (arg, length) in self.spec.inputs.iter().zip(&self.lengths) {
            let dtypes: Vec<_> = inputs.by_ref().take(length.unwrap_or(1)).map(|input| input.dtype()).collect();
            let mut follows = |name: &str, value: AttrValue| {
                if !attrs.iter().any(|(known, _)| known == name) {
                    attrs.push((name.to_owned(), value));
                }
            };
            match (&arg.ty, dtypes.first()) {
                (ArgType::Attr(name), Some(&dtype)) => follows(name, AttrValue::Type(dtype)),
                (ArgType::ListAttr(name), _) => follows(name, AttrValue::Types(dtypes.clone())),
                _ => {}
            }
            if let Some(number) = &arg.number_attr {
                follows(number, AttrValue::Int(dtypes.len() as i64));
            }
        }
        attrs
    }

    /// The call's name with its attrs, those with a default too.
    fn described(&self) -> Result<FuncAttr> {
        let mut attrs = self.known_attrs();
        for attr in &self.spec.attrs {
            if let (Some(default), false) = (&attr.default, attrs.iter().any(|(known, _)| *known == attr.name)) {
                attrs.push((attr.name.clone(), attr_from_spec(default, attr.kind)?));
            }
        }
        let attrs = attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        Ok(FuncAttr { name: self.spec.name.clone(), attrs })
    }
}

/// The attrs of a call, valid as long as the call; null for null.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_OpGetAttrs(op: *const TFE_Op) -> *const TFE_OpAttrs {
    op.cast()
}

/// Gives a call the attrs of another that it does not have itself. Null is passed over.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpAddAttrs(op: *mut TFE_Op, attrs: *const TFE_OpAttrs) {
    // SAFETY: `attrs` is null or alive (Safety section).
    let given =
        unsafe { EagerOp::borrow(attrs.cast(), "") }.map(|call| without_status(Vec::new(), || call.known_attrs()));
    // SAFETY: `op` is null or alive, and `attrs`, which may be of the same call, is not used any more (Safety section).
    let (Ok(given), Ok(op)) = (given, unsafe { EagerOp::borrow_mut(op, "") }) else { return };
    without_status((), || {
        for (name, value) in given {
            if !op.attrs.iter().any(|(known, _)| *known == name) {
                op.attrs.push((name, value));
            }
        }
    });
}

c_api! {
    /// The op's name and the attrs, those that follow from the inputs so far and those with a default too, as a
    /// serialized `NameAttrList`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpAttrsSerialize(
        attrs as call: *const TFE_OpAttrs => { EagerOp::borrow(attrs.cast(), NAME) },
        buf: *mut TF_Buffer;
        status
    ) {
        let described = attr_to_proto(&AttrValue::Func(call.described()?))?;
        let Some(Value::Func(described)) = described.value else {
            return Err(Error::internal("a function is a message of another kind"));
        };
        // SAFETY: `buf` is null or alive (Safety section).
        unsafe { fill(buf, &to_bytes(&described), NAME, "buf") }
    }

    /// Sets any attr, from a serialized `AttrValue`.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `proto` holds `proto_len` bytes.
    fn TFE_OpSetAttrValueProto(
        op: *const TFE_Op => { EagerOp::borrow_mut(op.cast_mut(), NAME) },
        attr_name as name: *const c_char => text,
        proto: *const c_void,
        proto_len: usize;
        status
    ) {
        // SAFETY: `proto` is null or has `proto_len` bytes (Safety section).
        let value: oplink_proto::AttrValue = unsafe { message(proto, proto_len, NAME, "proto") }?;
        op.set(name, attr_from_proto(&value, MAX_CONSTANT_BYTES)?);
        Ok(())
    }
}
