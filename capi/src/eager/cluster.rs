//! Clusters: a context's calls run in its process, which may be the only task of one.
//!
//! Clusters of several tasks are `UNIMPLEMENTED`; what asks a coordination service answers as without one.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};

use oplink_abi::{TF_Buffer, TF_Status, TFE_Context};
use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_core::DeviceName;
use oplink_host::c_api;
use oplink_host::guard::{slice, text};
use prost::Message;

use super::Context;
use crate::messages::ServerDef;
use crate::support::unimplemented;

/// Makes a context the only task of a cluster.
///
/// # Errors
/// The bytes are no ServerDef, or it is not of such a cluster.
///
/// # Safety
/// `proto` is null or holds `length` bytes; the handle is null or alive.
unsafe fn join(context: *mut TFE_Context, proto: *const c_void, length: usize, function: &str) -> Result<()> {
    // SAFETY: `context` is null or alive and `proto` is null or has `length` bytes (Safety section).
    let (context, bytes) =
        unsafe { (Context::borrow(context, function)?, slice(proto.cast::<u8>(), length, function, "proto")?) };
    let malformed = |error| Error::invalid_argument(format!("{function}: `proto` is no ServerDef: {error}"));
    context.set_task(only_task(&ServerDef::decode(bytes).map_err(malformed)?, function)?);
    Ok(())
}

/// The task of a server that is the only one of its cluster.
///
/// # Errors
/// There is no cluster, it has further tasks, or not this one.
fn only_task(server: &ServerDef, function: &str) -> Result<DeviceName> {
    let jobs = server.cluster.as_ref().map_or(&[][..], |cluster| &cluster.job);
    let tasks: usize = jobs.iter().map(|job| job.tasks.len()).sum();
    if tasks == 0 {
        return Err(Error::not_found(format!("{function}: the ServerDef has no cluster with tasks")));
    }
    let (job, task) = (&server.job_name, server.task_index);
    if !jobs.iter().any(|known| known.name == *job && known.tasks.contains_key(&task)) {
        let job = job.escape_debug();
        return Err(Error::invalid_argument(format!("{function}: the cluster has no task {task} of job `{job}`")));
    }
    if tasks > 1 {
        let why = format!("the cluster has {tasks} tasks; calls run in this process, and no other servers are reached");
        return unimplemented(function, &why);
    }
    DeviceName::parse(&format!("/job:{job}/replica:0/task:{task}"))
}

/// The answer of functions that ask a coordination service.
///
/// # Errors
/// Always: the handle is null, or there is no such service.
///
/// # Safety
/// The handle is null or alive.
unsafe fn coordinate<T>(context: *mut TFE_Context, function: &str) -> Result<T> {
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { Context::borrow(context, function) }?;
    let message = format!("{function}: the context is in no cluster, and has no coordination service");
    Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message))
}

/// Declares functions that make a context part of a cluster.
macro_rules! joining {
    ($($(#[$meta:meta])* $name:ident ($($more:ident: $ty:ty),*) ($($last:ident: $last_ty:ty),*);)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// The handles are null or alive; `proto` holds `proto_len` bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            ctx: *mut TFE_Context,
            _keep_alive_secs: c_int,
            proto: *const c_void,
            proto_len: usize,
            $($more: $ty,)*
            status: *mut TF_Status,
            $($last: $last_ty,)*
        ) {
            let name = stringify!($name);
            // SAFETY: `ctx` is null or alive and `proto` is null or has `proto_len` bytes (Safety section).
            oplink_host::guard::with_status(status, name, (), || unsafe { join(ctx, proto, proto_len, name) })
        }
    )*};
}

joining! {
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_ContextSetServerDef () ();
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_ContextSetServerDefWithTimeout (_init_timeout_in_ms: i64) (_clear_existing_contexts: bool);
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_ContextSetServerDefWithTimeoutAndRetries (_init_timeout_in_ms: i64, _retries: c_int)
        (_clear_existing_contexts: bool);
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_ContextUpdateServerDef () ();
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_ContextUpdateServerDefWithTimeout (_init_timeout_in_ms: i64) ();
    /// Makes the context the only task of a cluster, whose devices are named so; clusters of several are unimplemented.
    TFE_InitializeLocalOnlyContext () ();
}

c_api! {
    /// Whether a worker is alive: true of this process, by its name before `/device:`. There are no others.
    ///
    /// # Safety
    /// The handles are null or alive; `worker_name` is null or a terminated string.
    fn TFE_ContextCheckAlive(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        worker_name as worker: *const c_char => text;
        status
    ) -> (bool = false) {
        let own = context.address_space();
        match worker == own {
            true => Ok(true),
            false => Err(Error::invalid_argument(format!(
                "{NAME}: there is no worker `{}`, only this process, `{own}`",
                worker.escape_debug()
            ))),
        }
    }

    /// There is nobody to report to.
    ///
    /// # Safety
    /// The handles are null or alive; the string is null or terminated.
    fn TFE_ReportErrorToCluster(
        ctx: *mut TFE_Context,
        _error_code: c_int,
        _error_message: *const c_char;
        status
    ) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }

    /// There are no tasks to ask about.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_GetTaskStates(ctx: *mut TFE_Context, _tasks: *const TF_Buffer, _states: *mut c_void; status) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }

    /// There are no tasks to wait for.
    ///
    /// # Safety
    /// The handles are null or alive; the string is null or terminated.
    fn TFE_WaitAtBarrier(
        ctx: *mut TFE_Context,
        _barrier_id: *const c_char,
        _barrier_timeout_in_ms: i64;
        status
    ) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }

    /// There is no service that keeps values.
    ///
    /// # Safety
    /// The handles are null or alive; the strings are null or terminated.
    fn TFE_InsertConfigKeyValue(ctx: *mut TFE_Context, _key: *const c_char, _value: *const c_char; status) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }

    /// There is no service that keeps values.
    ///
    /// # Safety
    /// The handles are null or alive; the string is null or terminated.
    fn TFE_GetConfigKeyValue(
        ctx: *mut TFE_Context,
        _key: *const c_char,
        _timeout_in_ms: i64,
        _value_buf: *mut TF_Buffer;
        status
    ) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }

    /// There is no service that keeps values.
    ///
    /// # Safety
    /// The handles are null or alive; the string is null or terminated.
    fn TFE_DeleteConfigKeyValue(ctx: *mut TFE_Context, _key: *const c_char; status) {
        // SAFETY: `ctx` is null or alive (Safety section).
        unsafe { coordinate(ctx, NAME) }
    }
}
