//! `TF_SessionRun`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::time::SystemTime;

use oplink_abi::{TF_Buffer, TF_Operation, TF_Output, TF_Session, TF_Tensor};
use oplink_api::{Result, Tensor, bail};
use oplink_graph::RunOptions;
use oplink_host::buffer::{bytes, fill};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice, slice_mut};
use oplink_host::tensor::{into_handle, value_of_handle};

use super::{ClientSession, Request, metadata, session_of};
use crate::messages;
use crate::support::decode;

/// The tensors of an array of handles.
///
/// # Errors
/// A handle is null; those of `guard::slice`.
///
/// # Safety
/// As `guard::slice`; the handles are alive.
pub(super) unsafe fn tensors(values: *const *mut TF_Tensor, count: c_int, function: &str) -> Result<Vec<Tensor>> {
    // SAFETY: `values` is null or has `count` elements (Safety section).
    let values = unsafe { slice(values, count, function, "input_values") }?;
    // SAFETY: each element of the array is null or a live tensor (Safety section).
    values.iter().map(|&value| unsafe { value_of_handle(value, function, "input_values") }).collect()
}

/// Slots for what is fetched, null for now.
///
/// # Errors
/// Those of `guard::slice`.
///
/// # Safety
/// As `guard::slice_mut`.
pub(super) unsafe fn slots<'a>(
    values: *mut *mut TF_Tensor,
    count: c_int,
    function: &str,
) -> Result<&'a mut [*mut TF_Tensor]> {
    // SAFETY: `values` is null or has `count` elements (Safety section).
    let slots = unsafe { slice_mut(values, count, function, "output_values") }?;
    slots.fill(ptr::null_mut());
    Ok(slots)
}

/// Hands out what was fetched.
pub(super) fn give(slots: &mut [*mut TF_Tensor], fetched: Vec<Tensor>) {
    slots.iter_mut().zip(fetched).for_each(|(slot, value)| *slot = into_handle(value));
}

/// The options of a serialized `RunOptions`; null is none.
///
/// # Safety
/// The buffer is null or alive.
pub(super) unsafe fn run_options(options: *const TF_Buffer, function: &str) -> Result<RunOptions> {
    if options.is_null() {
        return Ok(RunOptions::default());
    }
    // SAFETY: `options` is null or alive (Safety section).
    let message: messages::RunOptions =
        decode(unsafe { bytes(options, function, "run_options") }?, function, "run_options")?;
    Ok(metadata::options(&message))
}

/// The buffer for a serialized `RunMetadata`, which must be empty; null is none.
///
/// # Safety
/// The buffer is null or alive and used by nobody else.
unsafe fn metadata_slot<'a>(buffer: *mut TF_Buffer, function: &str) -> Result<Option<&'a mut TF_Buffer>> {
    if buffer.is_null() {
        return Ok(None);
    }
    // SAFETY: `buffer` is null or alive (Safety section).
    let buffer = unsafe { borrow_mut(buffer, function, "run_metadata") }?;
    if !buffer.data.is_null() {
        bail!("{function}: `run_metadata` is not empty");
    }
    Ok(Some(buffer))
}

/// Runs a request and writes what it tells of itself.
///
/// # Safety
/// The buffers are null or alive.
pub(super) unsafe fn run(
    session: &ClientSession,
    request: Request,
    options: *const TF_Buffer,
    metadata: *mut TF_Buffer,
    function: &str,
) -> Result<Vec<Tensor>> {
    // SAFETY: `options` is null or alive and `metadata` is null or alive (Safety section).
    let (options, slot) = unsafe { (run_options(options, function)?, metadata_slot(metadata, function)?) };
    let start = SystemTime::now();
    let (fetched, told) = session.run(request, &options)?;
    if let Some(slot) = slot {
        fill(slot, &oplink_proto::to_bytes(&metadata::to_message(&told, start)));
    }
    Ok(fetched)
}

c_api! {
    /// Feeds values, runs what outputs and targets need, and hands out the outputs' values, which the client deletes.
    /// All are null where this fails.
    ///
    /// # Safety
    /// The handles are null or alive; the arrays have the lengths that are given.
    fn TF_SessionRun(
        session: *mut TF_Session,
        run_options: *const TF_Buffer,
        inputs: *const TF_Output,
        input_values: *const *mut TF_Tensor,
        ninputs: c_int,
        outputs: *const TF_Output,
        output_values: *mut *mut TF_Tensor,
        noutputs: c_int,
        target_opers: *const *const TF_Operation,
        ntargets: c_int,
        run_metadata: *mut TF_Buffer;
        status
    ) {
        // SAFETY: `session` is null or alive, `run_options` is null or alive, `inputs` is null or alive, `input_values`
        // is null or has `ninputs` elements, `outputs` is null or alive, `output_values` is null or has `noutputs`
        // elements, `target_opers` is null or has `ntargets` elements and `run_metadata` is null or alive (Safety
        // section).
        let (slots, fetched) = unsafe {
            let slots = slots(output_values, noutputs, NAME)?;
            let session = session_of(session, NAME)?;
            let graph = session.graph();
            let request = Request {
                feeds: graph.outputs(inputs, ninputs, NAME, "inputs")?,
                values: tensors(input_values, ninputs, NAME)?,
                fetches: graph.outputs(outputs, noutputs, NAME, "outputs")?,
                targets: graph.nodes(target_opers, ntargets, NAME, "target_opers")?,
            };
            (slots, run(session, request, run_options, run_metadata, NAME)?)
        };
        give(slots, fetched);
        Ok(())
    }
}
