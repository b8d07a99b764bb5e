//! What a plugin's shape function sees of its node.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};

use oplink_abi::{TF_DataType, TF_ShapeHandle, TF_ShapeInferenceContext, TF_Status};
use oplink_api::{DType, Error, PartialShape, Result, ShapeContext};

use super::handles::{shape, shape_mut};
use crate::guard::{borrow, borrow_mut, text, with_status, without_status};

/// The context of a shape function's call.
///
/// # Safety
/// `context` is null, or the one of the call that is going on.
unsafe fn of_call<'a>(context: *mut TF_ShapeInferenceContext, function: &str) -> Result<&'a mut ShapeContext<'static>> {
    // SAFETY: the caller's contract. Nothing that is borrowed for the call is given out beyond it.
    unsafe { borrow_mut(context.cast::<ShapeContext<'static>>(), function, "ctx") }
}

fn position(index: c_int, count: usize, what: &str) -> Result<usize> {
    let at = usize::try_from(index).ok().filter(|&at| at < count);
    at.ok_or_else(|| Error::invalid_argument(format!("there is no {what} {index}, the node has {count}")))
}

/// The number of inputs; 0 for null.
///
/// # Safety
/// `context` is null, or the one of the call that is going on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextNumInputs(context: *mut TF_ShapeInferenceContext) -> i64 {
    without_status(0, || {
        // SAFETY: `context` is null or alive (Safety section).
        let context = unsafe { of_call(context, "TF_ShapeInferenceContextNumInputs") };
        context.map_or(0, |context| context.num_inputs() as i64)
    })
}

/// Puts the shape of an input into `handle`.
///
/// # Safety
/// `context` is null, or the one of the call that is going on; handle and status are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextGetInput(
    context: *mut TF_ShapeInferenceContext,
    i: c_int,
    handle: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_ShapeInferenceContextGetInput";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `handle` is null or alive (Safety section).
        let (context, handle) = unsafe { (of_call(context, NAME)?, shape_mut(handle, NAME, "handle")?) };
        *handle = context.input(position(i, context.num_inputs(), "input")?).clone();
        Ok(())
    });
}

/// Gives an output the shape in `handle`.
///
/// # Safety
/// `context` is null, or the one of the call that is going on; handle and status are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextSetOutput(
    context: *mut TF_ShapeInferenceContext,
    i: c_int,
    handle: *mut TF_ShapeHandle,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_ShapeInferenceContextSetOutput";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `handle` is null or alive (Safety section).
        let (context, handle) = unsafe { (of_call(context, NAME)?, shape(handle, NAME, "handle")?) };
        let at = position(i, context.num_outputs(), "output")?;
        context.set_output(at, handle.clone());
        Ok(())
    });
}

/// Gives every output an unknown shape.
///
/// # Safety
/// `context` is null, or the one of the call that is going on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContextSetUnknownShape(
    context: *mut TF_ShapeInferenceContext,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_ShapeInferenceContextSetUnknownShape";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive (Safety section).
        let context = unsafe { of_call(context, NAME) }?;
        (0..context.num_outputs()).for_each(|at| context.set_output(at, PartialShape::unknown()));
        Ok(())
    });
}

/// Reads an attr of kind `type`.
///
/// # Safety
/// `context` is null, or the one of the call that is going on; `attr_name` is null or terminated; `val` is null or
/// writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ShapeInferenceContext_GetAttrType(
    context: *mut TF_ShapeInferenceContext,
    attr_name: *const c_char,
    val: *mut TF_DataType,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_ShapeInferenceContext_GetAttrType";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let (context, name) = unsafe { (of_call(context, NAME)?, text(attr_name, NAME, "attr_name")?) };
        // SAFETY: `val` is null or alive (Safety section).
        unsafe { borrow(val, NAME, "val") }?;
        if context.attrs().get(name).is_none() {
            return Err(Error::not_found(format!("op {} has no attr `{name}`", context.op().name)));
        }
        let dtype: DType = context.attr(name)?;
        // SAFETY: not null, writable by contract.
        unsafe { val.write(dtype.number()) }
        Ok(())
    });
}
