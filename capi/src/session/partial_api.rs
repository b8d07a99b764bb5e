//! `TF_SessionPRunSetup`, `TF_SessionPRun`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use oplink_abi::{TF_Operation, TF_Output, TF_Session, TF_Status, TF_Tensor};
use oplink_host::guard::{borrow_mut, text, with_status};

use super::run::{give, slots, tensors};
use super::{Request, session_of};
use crate::support::c_string;

/// Begins a run in several calls; the client deletes the handle.
///
/// # Safety
/// The handles are null or alive; the arrays have the lengths that are given; `handle` is null or a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SessionPRunSetup(
    session: *mut TF_Session,
    inputs: *const TF_Output,
    ninputs: c_int,
    outputs: *const TF_Output,
    noutputs: c_int,
    target_opers: *const *const TF_Operation,
    ntargets: c_int,
    handle: *mut *const c_char,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SessionPRunSetup";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        unsafe {
            let handle = borrow_mut(handle, NAME, "handle")?;
            *handle = ptr::null();
            let session = session_of(session, NAME)?;
            let request = Request {
                feeds: session.graph().outputs(inputs, ninputs, NAME, "inputs")?,
                fetches: session.graph().outputs(outputs, noutputs, NAME, "outputs")?,
                targets: session.graph().nodes(target_opers, ntargets, NAME, "target_opers")?,
                ..Request::default()
            };
            *handle = c_string(&session.begin_partial(request)?).into_raw();
            Ok(())
        }
    });
}

/// Goes on with a run in several calls.
///
/// # Safety
/// The handles are null or alive; the arrays have the lengths that are given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SessionPRun(
    session: *mut TF_Session,
    handle: *const c_char,
    inputs: *const TF_Output,
    input_values: *const *mut TF_Tensor,
    ninputs: c_int,
    outputs: *const TF_Output,
    output_values: *mut *mut TF_Tensor,
    noutputs: c_int,
    target_opers: *const *const TF_Operation,
    ntargets: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SessionPRun";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        unsafe {
            let slots = slots(output_values, noutputs, NAME)?;
            let (session, handle) = (session_of(session, NAME)?, text(handle, NAME, "handle")?);
            let request = Request {
                feeds: session.graph().outputs(inputs, ninputs, NAME, "inputs")?,
                values: tensors(input_values, ninputs, NAME)?,
                fetches: session.graph().outputs(outputs, noutputs, NAME, "outputs")?,
                targets: session.graph().nodes(target_opers, ntargets, NAME, "target_opers")?,
            };
            give(slots, session.go_on(handle, request)?);
            Ok(())
        }
    });
}

/// Frees the handle of a run in several calls; null is allowed.
///
/// # Safety
/// The handle came from a setup function and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeletePRunHandle(handle: *const c_char) {
    if !handle.is_null() {
        // SAFETY: the setup functions make handles by `CString::into_raw`.
        drop(unsafe { CString::from_raw(handle.cast_mut()) });
    }
}
