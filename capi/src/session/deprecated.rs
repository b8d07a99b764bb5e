//! `TF_DeprecatedSession`: a session that owns its graph and is run by names.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use oplink_abi::{TF_Buffer, TF_DeprecatedSession, TF_DeviceList, TF_SessionOptions, TF_Status, TF_Tensor};
use oplink_api::{Output, Result, bail};
use oplink_graph::MergeOptions;
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, slice, text, with_status};
use oplink_proto::GraphDef;

use super::run::{give, run, slots, tensors};
use super::{ClientOptions, ClientSession, Request, device_list};
use crate::graph::GraphState;
use crate::support::{c_string, message, unimplemented};

/// The session behind a handle.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
unsafe fn session_of<'a>(session: *const TF_DeprecatedSession, function: &str) -> Result<&'a ClientSession> {
    // SAFETY: `session` is null or alive (Safety section).
    unsafe { borrow(session.cast::<ClientSession>(), function, "session") }
}

/// The outputs that an array of names means.
///
/// # Safety
/// As `guard::slice`; the strings are terminated.
unsafe fn outputs(
    session: &ClientSession,
    names: *mut *const c_char,
    count: c_int,
    function: &str,
    argument: &str,
) -> Result<Vec<Output>> {
    // SAFETY: `names` is null or has `count` elements (Safety section).
    let names = unsafe { slice(names.cast_const(), count, function, argument) }?;
    let inner = session.graph().lock();
    // SAFETY: each element of the array is null or a terminated string (Safety section).
    let find = |&name: &*const c_char| inner.graph.output_named(unsafe { text(name, function, argument) }?);
    names.iter().map(find).collect()
}

/// The nodes that an array of names means.
///
/// # Safety
/// As `guard::slice`; the strings are terminated.
unsafe fn targets(
    session: &ClientSession,
    names: *mut *const c_char,
    count: c_int,
    function: &str,
) -> Result<Vec<u32>> {
    // SAFETY: `names` is null or has `count` elements (Safety section).
    let names = unsafe { slice(names.cast_const(), count, function, "target_oper_names") }?;
    let inner = session.graph().lock();
    // SAFETY: each element of the array is null or a terminated string (Safety section).
    let find = |&name: &*const c_char| inner.graph.node_named(unsafe { text(name, function, "target_oper_names") }?);
    names.iter().map(find).collect()
}

c_api! {
    /// A session with a graph of its own, empty for now.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_NewDeprecatedSession(
        options: *const TF_SessionOptions => { ClientOptions::borrow(options, NAME) };
        status
    ) -> (*mut TF_DeprecatedSession = ptr::null_mut()) {
        let session = ClientSession::new(GraphState::new()?, options)?;
        Ok(Box::into_raw(Box::new(session)).cast())
    }

    /// Refuses further runs and stops those under way.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_CloseDeprecatedSession(session: *mut TF_DeprecatedSession; status) {
        // SAFETY: `session` is null or alive (Safety section).
        unsafe { session_of(session, NAME) }?.close();
        Ok(())
    }

    /// Frees a session and its graph.
    ///
    /// # Safety
    /// The handles are null or alive; the session is not used afterwards.
    fn TF_DeleteDeprecatedSession(session: *mut TF_DeprecatedSession; status) {
        if session.is_null() {
            bail!("{NAME}: `session` is null");
        }
        // SAFETY: not null, so a box that the function which makes sessions gave, and that the client gives up.
        drop(unsafe { Box::from_raw(session.cast::<ClientSession>()) });
        Ok(())
    }
}

/// Unimplemented: containers are not shared between sessions here.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_Reset(
    _opt: *const TF_SessionOptions,
    _containers: *mut *const c_char,
    _ncontainers: c_int,
    status: *mut TF_Status,
) {
    let why = "each session has its own containers; delete the session to clear them";
    with_status(status, "TF_Reset", (), || unimplemented("TF_Reset", why));
}

c_api! {
    /// Adds the nodes of a serialized `GraphDef` to the session's graph.
    ///
    /// # Safety
    /// The handles are null or alive; `proto` holds `proto_len` bytes.
    fn TF_ExtendGraph(
        session: *mut TF_DeprecatedSession => { session_of(session, NAME) },
        proto as def: *const c_void => { message::<GraphDef>(proto, proto_len, NAME, "proto") },
        proto_len: usize;
        status
    ) {
        session.graph().change(|graph| graph.import_into(def, &MergeOptions::default())).map(drop)
    }

    /// As `TF_SessionRun`, by names: `node` or `node:index`.
    ///
    /// # Safety
    /// The handles are null or alive; the arrays have the lengths that are given; the strings are terminated.
    fn TF_Run(
        session: *mut TF_DeprecatedSession,
        run_options: *const TF_Buffer,
        input_names: *mut *const c_char,
        inputs: *mut *mut TF_Tensor,
        ninputs: c_int,
        output_names: *mut *const c_char,
        output_values: *mut *mut TF_Tensor,
        noutputs: c_int,
        target_oper_names: *mut *const c_char,
        ntargets: c_int,
        run_metadata: *mut TF_Buffer;
        status
    ) {
        // SAFETY: `session` is null or alive, `run_options` is null or alive, `input_names` is null or has `ninputs`
        // elements, `inputs` is null or has `ninputs` elements, `output_names` is null or has `noutputs` elements,
        // `output_values` is null or has `noutputs` elements, `target_oper_names` is null or has `ntargets` elements
        // and `run_metadata` is null or alive (Safety section).
        unsafe {
            let slots = slots(output_values, noutputs, NAME)?;
            let session = session_of(session, NAME)?;
            let request = Request {
                feeds: outputs(session, input_names, ninputs, NAME, "input_names")?,
                values: tensors(inputs, ninputs, NAME)?,
                fetches: outputs(session, output_names, noutputs, NAME, "output_names")?,
                targets: targets(session, target_oper_names, ntargets, NAME)?,
            };
            give(slots, run(session, request, run_options, run_metadata, NAME)?);
            Ok(())
        }
    }

    /// As `TF_SessionPRunSetup`, by names.
    ///
    /// # Safety
    /// As [`TF_Run`]; `handle` is null or a slot.
    fn TF_PRunSetup(
        session: *mut TF_DeprecatedSession,
        input_names: *mut *const c_char,
        ninputs: c_int,
        output_names: *mut *const c_char,
        noutputs: c_int,
        target_oper_names: *mut *const c_char,
        ntargets: c_int,
        handle: *mut *const c_char;
        status
    ) {
        // SAFETY: `session` is null or alive, `input_names` is null or has `ninputs` elements, `output_names` is null
        // or has `noutputs` elements, `target_oper_names` is null or has `ntargets` elements and `handle` is null or a
        // slot (Safety section).
        unsafe {
            let handle = borrow_mut(handle, NAME, "handle")?;
            *handle = ptr::null();
            let session = session_of(session, NAME)?;
            let request = Request {
                feeds: outputs(session, input_names, ninputs, NAME, "input_names")?,
                fetches: outputs(session, output_names, noutputs, NAME, "output_names")?,
                targets: targets(session, target_oper_names, ntargets, NAME)?,
                ..Request::default()
            };
            *handle = c_string(&session.begin_partial(request)?).into_raw();
            Ok(())
        }
    }

    /// As `TF_SessionPRun`, by names.
    ///
    /// # Safety
    /// As [`TF_Run`]; `handle` is null or a terminated string.
    fn TF_PRun(
        session: *mut TF_DeprecatedSession,
        handle: *const c_char,
        input_names: *mut *const c_char,
        inputs: *mut *mut TF_Tensor,
        ninputs: c_int,
        output_names: *mut *const c_char,
        output_values: *mut *mut TF_Tensor,
        noutputs: c_int,
        target_oper_names: *mut *const c_char,
        ntargets: c_int;
        status
    ) {
        // SAFETY: `session` is null or alive, `handle` is null or a terminated string, `input_names` is null or has
        // `ninputs` elements, `inputs` is null or has `ninputs` elements, `output_names` is null or has `noutputs`
        // elements, `output_values` is null or has `noutputs` elements and `target_oper_names` is null or has
        // `ntargets` elements (Safety section).
        unsafe {
            let slots = slots(output_values, noutputs, NAME)?;
            let (session, handle) = (session_of(session, NAME)?, text(handle, NAME, "handle")?);
            let request = Request {
                feeds: outputs(session, input_names, ninputs, NAME, "input_names")?,
                values: tensors(inputs, ninputs, NAME)?,
                fetches: outputs(session, output_names, noutputs, NAME, "output_names")?,
                targets: targets(session, target_oper_names, ntargets, NAME)?,
            };
            give(slots, session.resume(handle, request)?);
            Ok(())
        }
    }

    /// The devices of a session.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_DeprecatedSessionListDevices(
        session: *mut TF_DeprecatedSession;
        status
    ) -> (*mut TF_DeviceList = ptr::null_mut()) {
        // SAFETY: `session` is null or alive (Safety section).
        Ok(device_list(unsafe { session_of(session, NAME) }?.devices(), str::to_owned))
    }
}
