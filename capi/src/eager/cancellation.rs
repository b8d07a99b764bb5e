//! `TFE_CancellationManager`: what ends calls early, and tells callbacks of it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};

use oplink_abi::{TFE_CancelCallback, TFE_CancellationManager, TFE_CancellationToken, TFE_Op};
use oplink_api::Result;
use oplink_graph::eager::CancellationManager;
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, without_status};

use super::EagerOp;

/// The manager behind a handle.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
unsafe fn manager<'a>(handle: *const TFE_CancellationManager, function: &str) -> Result<&'a CancellationManager> {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { borrow(handle.cast::<CancellationManager>(), function, "cancellation_manager") }
}

/// Asks a manager; `fallback` for null.
///
/// # Safety
/// The handle is null or alive.
unsafe fn ask<T: Copy>(
    handle: *const TFE_CancellationManager,
    fallback: T,
    ask: impl FnOnce(&CancellationManager) -> T,
) -> T {
    // SAFETY: `handle` is null or alive (Safety section).
    without_status(fallback, || unsafe { manager(handle, "") }.map_or(fallback, ask))
}

/// What a client's callback is given.
struct CallbackContext(*mut c_void);

// SAFETY: the client vouches that its callback may be called on any thread, as TensorFlow does.
unsafe impl Send for CallbackContext {}

impl CallbackContext {
    /// # Safety
    /// `callback` is the function that this is for.
    unsafe fn call(self, callback: unsafe extern "C" fn(*mut c_void)) {
        // SAFETY: the client's own function, with what the client gave for it.
        unsafe { callback(self.0) }
    }
}

/// A manager, which the client deletes.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_NewCancellationManager() -> *mut TFE_CancellationManager {
    Box::into_raw(Box::<CancellationManager>::default()).cast()
}

/// Frees a manager; null is allowed. Calls that were made with it end, and callbacks run.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteCancellationManager(cancellation_manager: *mut TFE_CancellationManager) {
    // SAFETY: the handle is null or a box that this library made and that the caller gives up.
    unsafe { delete(cancellation_manager.cast::<CancellationManager>()) }
}

/// Whether calls were ended and the callbacks have run; false for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerIsCancelled(
    cancellation_manager: *mut TFE_CancellationManager,
) -> bool {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, false, CancellationManager::is_cancelled) }
}

/// Whether the callbacks run now; false for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerIsCancelling(
    cancellation_manager: *mut TFE_CancellationManager,
) -> bool {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, false, CancellationManager::is_cancelling) }
}

/// Ends the calls that were made with a manager, and runs its callbacks; the first time only. Null is passed over.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerStartCancel(cancellation_manager: *mut TFE_CancellationManager) {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, (), CancellationManager::cancel) }
}

/// A name for a callback, another one at each call; -1 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerGetToken(
    cancellation_manager: *mut TFE_CancellationManager,
) -> TFE_CancellationToken {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, -1, CancellationManager::token) }
}

/// Registers a callback in place of the token's former one. False where it is too late for one, and where an argument
/// is null; the name is for clients only.
///
/// # Safety
/// The handle is null or alive; `c_callback` is null or a callback that may run on any thread until it is taken back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerRegisterCallback(
    cancellation_manager: *mut TFE_CancellationManager,
    token: TFE_CancellationToken,
    c_callback: *const TFE_CancelCallback,
    _callback_name: *const c_char,
) -> bool {
    // SAFETY: `c_callback` is null or a callback (Safety section).
    let Some(&TFE_CancelCallback { callback: Some(callback), context }) = (unsafe { c_callback.as_ref() }) else {
        return false;
    };
    let context = CallbackContext(context);
    // SAFETY: the handle is null or alive; the callback is for its context (Safety section).
    unsafe { ask(cancellation_manager, false, |manager| manager.register(token, move || context.call(callback))) }
}

/// Takes a callback back. False where calls were ended: the callback has run then. False for null too.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerDeregisterCallback(
    cancellation_manager: *mut TFE_CancellationManager,
    token: TFE_CancellationToken,
) -> bool {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, false, |manager| manager.deregister(token)) }
}

/// As [`TFE_CancellationManagerDeregisterCallback`], without waiting for callbacks that run now.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_CancellationManagerTryDeregisterCallback(
    cancellation_manager: *mut TFE_CancellationManager,
    token: TFE_CancellationToken,
) -> bool {
    // SAFETY: the handle is null or alive (Safety section).
    unsafe { ask(cancellation_manager, false, |manager| manager.try_deregister(token)) }
}

c_api! {
    /// Lets a manager end a call early.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpSetCancellationManager(
        op: *mut TFE_Op => { EagerOp::borrow_mut(op, NAME) },
        cancellation_manager: *mut TFE_CancellationManager => { manager(cancellation_manager, NAME) };
        status
    ) {
        op.cancellation = Some(cancellation_manager.cancellation().clone());
        Ok(())
    }
}
