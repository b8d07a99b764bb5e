//! Setters of a call's attrs that are one value.
//!
//! Most have no status. What is wrong with their arguments is kept, and `TFE_Execute` tells the first.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TFE_Op};
use oplink_api::{AttrValue, Error, FuncAttr, Result};
use oplink_host::guard::{slice, text, with_status, without_status};
use oplink_host::tensor::{dtype, value_of_handle};

use super::EagerOp;
use crate::support::{partial_shape, sized_text};

impl EagerOp {
    /// The function of this call's name, with its attrs.
    pub(super) fn as_function(&self) -> FuncAttr {
        let attrs = self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        FuncAttr { name: self.spec.name.clone(), attrs }
    }
}

/// Sets an attr; what is wrong is kept for the run. Null is passed over.
///
/// # Safety
/// The handle is null or alive; `name` is null or a terminated string.
pub(super) unsafe fn set_attr(
    op: *mut TFE_Op,
    name: *const c_char,
    function: &str,
    value: impl FnOnce() -> Result<AttrValue>,
) {
    // SAFETY: the caller's contract.
    let Ok(op) = (unsafe { EagerOp::borrow_mut(op, function) }) else { return };
    let set = without_status(Err(Error::internal("a setter panicked")), || {
        // SAFETY: the caller's contract.
        let name = unsafe { text(name, function, "attr_name") }?;
        op.set(name, value()?);
        Ok(())
    });
    if let Err(problem) = set {
        op.problem.get_or_insert(problem);
    }
}

/// As [`set_attr`], telling what is wrong at once.
///
/// # Safety
/// The handles are null or alive; `name` is null or a terminated string.
pub(super) unsafe fn try_set(
    op: *mut TFE_Op,
    name: *const c_char,
    function: &str,
    status: *mut TF_Status,
    value: impl FnOnce() -> Result<AttrValue>,
) {
    with_status(status, function, (), || {
        // SAFETY: the caller's contract.
        let (op, name) = unsafe { (EagerOp::borrow_mut(op, function)?, text(name, function, "attr_name")?) };
        op.set(name, value()?);
        Ok(())
    });
}

/// Sets a string.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrString(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    value: *const c_void,
    length: usize,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrString", || {
            Ok(AttrValue::String(slice(value.cast::<u8>(), length, "TFE_OpSetAttrString", "value")?.to_vec()))
        });
    }
}

/// Sets an integer.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrInt(op: *mut TFE_Op, attr_name: *const c_char, value: i64) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(op, attr_name, "TFE_OpSetAttrInt", || Ok(AttrValue::Int(value))) }
}

/// Sets a number.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrFloat(op: *mut TFE_Op, attr_name: *const c_char, value: f32) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(op, attr_name, "TFE_OpSetAttrFloat", || Ok(AttrValue::Float(value))) }
}

/// Sets a truth value; anything but 0 is true.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrBool(op: *mut TFE_Op, attr_name: *const c_char, value: c_uchar) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(op, attr_name, "TFE_OpSetAttrBool", || Ok(AttrValue::Bool(value != 0))) }
}

/// Sets a dtype.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrType(op: *mut TFE_Op, attr_name: *const c_char, value: TF_DataType) {
    // SAFETY: the caller's contract.
    unsafe { set_attr(op, attr_name, "TFE_OpSetAttrType", || Ok(AttrValue::Type(dtype(value)?))) }
}

/// Sets a function without attrs of its own.
///
/// # Safety
/// The handle is null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrFunctionName(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    value: *const c_char,
    length: usize,
) {
    // SAFETY: the caller's contract.
    unsafe {
        set_attr(op, attr_name, "TFE_OpSetAttrFunctionName", || {
            let name = sized_text(value, length, "TFE_OpSetAttrFunctionName", "value")?.to_owned();
            Ok(AttrValue::Func(FuncAttr { name, ..FuncAttr::default() }))
        });
    }
}

/// Sets a shape; a negative rank is an unknown one, a dim of -1 an unknown one.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string; the array has the length given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrShape(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    dims: *const i64,
    num_dims: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TFE_OpSetAttrShape";
    // SAFETY: the caller's contract.
    unsafe { try_set(op, attr_name, NAME, status, || Ok(AttrValue::Shape(partial_shape(dims, num_dims, NAME)?))) }
}

/// Sets a tensor, which the client may delete afterwards.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrTensor(
    op: *mut TFE_Op,
    attr_name: *const c_char,
    tensor: *mut TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TFE_OpSetAttrTensor";
    // SAFETY: the caller's contract.
    unsafe {
        try_set(op, attr_name, NAME, status, || {
            Ok(AttrValue::Tensor(value_of_handle(tensor, NAME, "tensor")?.deep_copy()?))
        });
    }
}

/// Sets a function: the one that another call names, with that call's attrs.
///
/// # Safety
/// The handles are null or alive; `attr_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpSetAttrFunction(op: *mut TFE_Op, attr_name: *const c_char, value: *const TFE_Op) {
    const NAME: &str = "TFE_OpSetAttrFunction";
    // SAFETY: the caller's contract.
    unsafe { set_attr(op, attr_name, NAME, || Ok(AttrValue::Func(EagerOp::borrow(value, NAME)?.as_function()))) }
}
