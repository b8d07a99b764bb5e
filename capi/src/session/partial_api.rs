//! `TF_SessionPRunSetup`, `TF_SessionPRun`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use oplink_abi::{TF_Operation, TF_Output, TF_Session, TF_Tensor};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, text};

use super::run::{give, slots, tensors};
use super::{Request, session_of};
use crate::support::{as_invalid, c_string};

c_api! {
    /// Begins a run in several calls; the client deletes the handle.
    ///
    /// # Safety
    /// The handles are null or alive; the arrays have the lengths that are given; `handle` is null or a slot.
    fn TF_SessionPRunSetup(
        session: *mut TF_Session,
        inputs: *const TF_Output,
        ninputs: c_int,
        outputs: *const TF_Output,
        noutputs: c_int,
        target_opers: *const *const TF_Operation,
        ntargets: c_int,
        handle: *mut *const c_char;
        status
    ) {
        // SAFETY: `session` is null or alive, `inputs` is null or has `ninputs` elements, `outputs` is null or has
        // `noutputs` elements, `target_opers` is null or has `ntargets` elements and `handle` is null or a slot (Safety
        // section).
        unsafe {
            let handle = borrow_mut(handle, NAME, "handle")?;
            *handle = ptr::null();
            let session = session_of(session, NAME)?;
            let request = Request {
                feeds: as_invalid(session.graph().outputs(inputs, ninputs, NAME, "inputs"))?,
                fetches: as_invalid(session.graph().outputs(outputs, noutputs, NAME, "outputs"))?,
                targets: session.graph().nodes(target_opers, ntargets, NAME, "target_opers")?,
                ..Request::default()
            };
            *handle = c_string(&session.begin_partial(request)?).into_raw();
            Ok(())
        }
    }

    /// Goes on with a run in several calls.
    ///
    /// # Safety
    /// The handles are null or alive; the arrays have the lengths that are given.
    fn TF_SessionPRun(
        session: *mut TF_Session,
        handle: *const c_char,
        inputs: *const TF_Output,
        input_values: *const *mut TF_Tensor,
        ninputs: c_int,
        outputs: *const TF_Output,
        output_values: *mut *mut TF_Tensor,
        noutputs: c_int,
        target_opers: *const *const TF_Operation,
        ntargets: c_int;
        status
    ) {
        // SAFETY: `session` is null or alive, `handle` is null or a terminated string, `inputs` is null or alive,
        // `input_values` is null or has `ninputs` elements, `outputs` is null or alive, `output_values` is null or has
        // `noutputs` elements and `target_opers` is null or has `ntargets` elements (Safety section).
        unsafe {
            let slots = slots(output_values, noutputs, NAME)?;
            let (session, handle) = (session_of(session, NAME)?, text(handle, NAME, "handle")?);
            let request = Request {
                feeds: as_invalid(session.graph().outputs(inputs, ninputs, NAME, "inputs"))?,
                values: tensors(input_values, ninputs, NAME)?,
                fetches: as_invalid(session.graph().outputs(outputs, noutputs, NAME, "outputs"))?,
                targets: session.graph().nodes(target_opers, ntargets, NAME, "target_opers")?,
            };
            give(slots, session.resume(handle, request)?);
            Ok(())
        }
    }
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
