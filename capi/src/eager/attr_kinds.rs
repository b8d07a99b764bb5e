//! The kinds of an op's attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar};

use oplink_abi::{TF_AttrType, TFE_Context, TFE_Op, attr_type};
use oplink_api::spec::OpSpec;
use oplink_api::{Result, bail};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, text};

use super::{Context, EagerOp};
use crate::attrs::kind_number;

/// The kind of an attr of an op.
///
/// # Safety
/// `attr_name` is null or a terminated string; `is_list` is null or a slot.
unsafe fn kind(op: &OpSpec, attr_name: *const c_char, is_list: *mut c_uchar, function: &str) -> Result<TF_AttrType> {
    // SAFETY: `attr_name` is null or a terminated string and `is_list` is what this function asks for (Safety section).
    let (name, is_list) =
        unsafe { (text(attr_name, function, "attr_name")?, borrow_mut(is_list, function, "is_list")?) };
    let Some(attr) = op.attr(name) else { bail!("{function}: op {} has no attr `{}`", op.name, name.escape_debug()) };
    *is_list = c_uchar::from(attr.kind.list);
    Ok(kind_number(attr.kind.scalar))
}

c_api! {
    /// The kind of an attr of a call's op.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `is_list` is null or a slot.
    fn TFE_OpGetAttrType(
        op: *mut TFE_Op,
        attr_name: *const c_char,
        is_list: *mut c_uchar;
        status
    ) -> (TF_AttrType = attr_type::INT) {
        // SAFETY: `op` is null or alive, `attr_name` is null or a terminated string and `is_list` is what this function
        // asks for (Safety section).
        unsafe {
        kind(&EagerOp::borrow(op, NAME)?.spec, attr_name, is_list, NAME)
    }
    }

    /// The kind of an attr of an op.
    ///
    /// # Safety
    /// The handles are null or alive; the strings are null or terminated; `is_list` is null or a slot.
    fn TFE_OpNameGetAttrType(
        ctx: *mut TFE_Context,
        op_or_function_name: *const c_char,
        attr_name: *const c_char,
        is_list: *mut c_uchar;
        status
    ) -> (TF_AttrType = attr_type::INT) {
        // SAFETY: `ctx` is null or alive, `op_or_function_name` is null or a terminated string, `attr_name` is null or
        // a terminated string and `is_list` is what this function asks for (Safety section).
        unsafe {
        let (context, op) = (Context::borrow(ctx, NAME)?, text(op_or_function_name, NAME, "op_or_function_name")?);
        kind(&*context.eager().spec(op)?, attr_name, is_list, NAME)
    }
    }
}
