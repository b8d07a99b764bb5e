//! `TFE_ContextOptions`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_uchar, c_void};

use oplink_abi::TFE_ContextOptions;
use oplink_api::Result;
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete};

use crate::messages::ConfigProto;
use crate::support::message;

/// Inputs on another device are copied there without a word.
const SILENT: c_int = 2;

/// What a `TFE_ContextOptions` is here.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) config: ConfigProto,
    pub(super) policy: c_int,
    pub(super) is_async: bool,
}

impl Options {
    /// The options behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(super) unsafe fn borrow<'a>(options: *const TFE_ContextOptions, function: &str) -> Result<&'a Self> {
        // SAFETY: `options` is null or alive (Safety section).
        unsafe { borrow(options.cast::<Self>(), function, "opts") }
    }
}

/// Options of a context.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_NewContextOptions() -> *mut TFE_ContextOptions {
    Box::into_raw(Box::new(Options { config: ConfigProto::default(), policy: SILENT, is_async: false })).cast()
}

/// Frees options; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteContextOptions(options: *mut TFE_ContextOptions) {
    // SAFETY: `options` is null or a box that this library made and that the caller gives up.
    unsafe { delete(options.cast::<Options>()) }
}

c_api! {
    /// Sets how ops run, from a serialized `ConfigProto`: the devices, and the number of
    /// threads. Other fields are ignored.
    ///
    /// # Safety
    /// The handles are null or alive; `proto` holds `proto_len` bytes.
    fn TFE_ContextOptionsSetConfig(options: *mut TFE_ContextOptions, proto: *const c_void, proto_len: usize; status) {
        // SAFETY: `options` is null or alive and `proto` is null or has `proto_len` bytes (Safety section).
        let (options, config) = unsafe {
            let options = borrow_mut(options.cast::<Options>(), NAME, "options")?;
            (options, message::<ConfigProto>(proto, proto_len, NAME, "proto")?)
        };
        options.config = config;
        Ok(())
    }
}

/// Sets whether calls are queued: `TFE_Execute` returns before they are done, with handles that wait for them. Null is
/// passed over.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextOptionsSetAsync(options: *mut TFE_ContextOptions, enable: c_uchar) {
    // SAFETY: `options` is null or alive (Safety section).
    if let Some(options) = unsafe { options.cast::<Options>().as_mut() } {
        options.is_async = enable != 0;
    }
}

/// Accepted: there is one runtime.
#[unsafe(no_mangle)]
pub extern "C" fn TFE_ContextOptionsSetTfrt(_options: *mut TFE_ContextOptions, _use_tfrt: bool) {}

/// Sets what happens to inputs on other devices: 0, they are an error; 1 and 2, they are copied; 3, those of int32 are
/// copied, others are an error.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextOptionsSetDevicePlacementPolicy(options: *mut TFE_ContextOptions, policy: c_int) {
    // SAFETY: `options` is null or alive (Safety section).
    if let Some(options) = unsafe { options.cast::<Options>().as_mut() } {
        options.policy = policy;
    }
}
