//! `TFE_Executor`: what runs calls, at once or one after the other on a thread of its own.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TFE_Context, TFE_Executor};
use oplink_api::Result;
use oplink_graph::eager::EagerExecutor;
use oplink_host::c_api;
use oplink_host::guard::{borrow, without_status};

use super::Context;

/// What a `TFE_Executor` is here.
struct Executor {
    executor: Arc<EagerExecutor>,
    /// Whether the client made it; else it is a context's, which outlives the handle.
    is_own: bool,
}

impl Executor {
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    unsafe fn borrow<'a>(executor: *const TFE_Executor, function: &str) -> Result<&'a Self> {
        // SAFETY: `executor` is null or alive (Safety section).
        unsafe { borrow(executor.cast::<Self>(), function, "executor") }
    }

    fn into_raw(self) -> *mut TFE_Executor {
        Box::into_raw(Box::new(self)).cast()
    }
}

/// An executor, which the client deletes. An asynchronous one queues calls; where the limit is above 0, a caller waits
/// until fewer than so many are unfinished.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_NewExecutor(
    is_async: bool,
    _enable_streaming_enqueue: bool,
    in_flight_nodes_limit: c_int,
) -> *mut TFE_Executor {
    without_status(ptr::null_mut(), || {
        let executor = match is_async {
            true => EagerExecutor::asynchronous(usize::try_from(in_flight_nodes_limit).unwrap_or(0)),
            false => EagerExecutor::synchronous(),
        };
        Executor { executor, is_own: true }.into_raw()
    })
}

/// Frees an executor; null is allowed. The calls queued on one that the client made are waited for, and threads that
/// chose it go back to their context's.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteExecutor(executor: *mut TFE_Executor) {
    if executor.is_null() {
        return;
    }
    without_status((), || {
        // SAFETY: not null, so a box that this library made and that the caller gives up.
        let Executor { executor, is_own } = *unsafe { Box::from_raw(executor.cast::<Executor>()) };
        if is_own {
            executor.shut_down();
        }
    });
}

/// Whether calls are queued; false for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ExecutorIsAsync(executor: *mut TFE_Executor) -> bool {
    // SAFETY: `executor` is null or alive (Safety section).
    unsafe { Executor::borrow(executor, "") }.is_ok_and(|executor| executor.executor.is_async())
}

/// Forgets that a call failed, so that calls are taken again; null is passed over.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ExecutorClearError(executor: *mut TFE_Executor) {
    // SAFETY: `executor` is null or alive (Safety section).
    if let Ok(executor) = unsafe { Executor::borrow(executor, "") } {
        without_status((), || executor.executor.clear_error());
    }
}

c_api! {
    /// Waits until all calls are done that are queued; the status is the error of the one that failed.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ExecutorWaitForAllPendingNodes(
        executor: *mut TFE_Executor => { Executor::borrow(executor, NAME) };
        status
    ) {
        executor.executor.wait()
    }

    /// Waits until all calls of the context are done that are queued, on its own executor and on those of threads. The
    /// status is the first error, and the errors of the executors are cleared.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextAsyncWait(ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) }; status) {
        context.executors().wait()
    }
}

/// Sets the executor of the calls that this thread begins from now on; null for the context's own. A null context is
/// passed over.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextSetExecutorForThread(ctx: *mut TFE_Context, executor: *mut TFE_Executor) {
    // SAFETY: `ctx` and `executor` are null or alive (Safety section).
    let (context, executor) = unsafe { (Context::borrow(ctx, ""), Executor::borrow(executor, "")) };
    if let Ok(context) = context {
        without_status((), || context.executors().choose(executor.ok().map(|executor| executor.executor.clone())));
    }
}

/// The executor of the calls of this thread, as a handle that the client deletes; null for a null context.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextGetExecutorForThread(ctx: *mut TFE_Context) -> *mut TFE_Executor {
    // SAFETY: `ctx` is null or alive (Safety section).
    let Ok(context) = (unsafe { Context::borrow(ctx, "") }) else { return ptr::null_mut() };
    without_status(ptr::null_mut(), || Executor { executor: context.executors().current(), is_own: false }.into_raw())
}
