//! `TF_SessionOptions`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar, c_void};
use std::sync::Arc;
use std::time::Duration;

use oplink_abi::TF_SessionOptions;
use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_core::Device;
use oplink_graph::{PassOptions, SessionOptions};
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, text, without_status};

use crate::devices::devices_for;
use crate::messages::ConfigProto;
use crate::support::message;

/// The level of optimisation that means none.
const NO_OPTIMIZATION: i32 = -1;

/// What a `TF_SessionOptions` is here.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    target: Option<Result<String>>,
    config: ConfigProto,
}

impl ClientOptions {
    /// The options behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(options: *const TF_SessionOptions, function: &str) -> Result<&'a Self> {
        // SAFETY: `options` is null or alive (Safety section).
        unsafe { borrow(options.cast::<Self>(), function, "options") }
    }

    /// Takes a configuration over.
    pub(crate) fn set_config(&mut self, config: ConfigProto) {
        self.config = config;
    }

    /// Refuses sessions of other processes.
    pub(super) fn check_target(&self) -> Result<()> {
        match self.target.clone().transpose()?.as_deref() {
            None | Some("" | "local") => Ok(()),
            Some(target) => {
                let message = format!("there is no session for the target `{target}`: sessions run in this process");
                Err(Error::new(Code::NotFound, ErrorKind::InvalidArgument, message))
            }
        }
    }

    pub(super) fn session_options(&self) -> SessionOptions {
        let threads = self.config.intra_op_parallelism_threads;
        let optimizer = self.config.graph_options.as_ref().and_then(|options| options.optimizer_options.as_ref());
        let passes = match optimizer.map(|optimizer| optimizer.opt_level) {
            Some(NO_OPTIMIZATION) => PassOptions::none(),
            _ => PassOptions::default(),
        };
        SessionOptions {
            intra_op_threads: usize::try_from(threads).unwrap_or(0),
            allow_soft_placement: self.config.allow_soft_placement,
            passes,
            ..SessionOptions::default()
        }
    }

    pub(super) fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        devices_for(&self.config)
    }

    pub(super) fn timeout(&self) -> Option<Duration> {
        let timeout = u64::try_from(self.config.operation_timeout_in_ms).unwrap_or(0);
        (timeout > 0).then(|| Duration::from_millis(timeout))
    }
}

/// Options of a session in this process.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewSessionOptions() -> *mut TF_SessionOptions {
    Box::into_raw(Box::<ClientOptions>::default()).cast()
}

/// Frees options; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteSessionOptions(options: *mut TF_SessionOptions) {
    // SAFETY: `options` is null or a box that this library made and that the caller gives up.
    unsafe { delete(options.cast::<ClientOptions>()) }
}

/// Sets where the session runs: empty or `local`. Anything else is refused when the session is made.
///
/// # Safety
/// The handle is null or alive; `target` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetTarget(options: *mut TF_SessionOptions, target: *const c_char) {
    without_status((), || {
        // SAFETY: `options` is null or alive and `target` is null or a terminated string (Safety section).
        let (options, target) =
            unsafe { (options.cast::<ClientOptions>().as_mut(), text(target, "TF_SetTarget", "target")) };
        if let Some(options) = options {
            options.target = Some(target.map(str::to_owned));
        }
    });
}

c_api! {
    /// Sets how the session runs, from a serialized `ConfigProto`: the number of devices of each type, which GPUs and
    /// devices of plugins are visible and how much of their memory is used, threads, soft placement, optimisation,
    /// timeout. Other fields are ignored.
    ///
    /// # Safety
    /// The handles are null or alive; `proto` holds `proto_len` bytes.
    fn TF_SetConfig(options: *mut TF_SessionOptions, proto: *const c_void, proto_len: usize; status) {
        // SAFETY: `options` is null or alive and `proto` is null or has `proto_len` bytes (Safety section).
        let (options, config) = unsafe {
            let options = borrow_mut(options.cast::<ClientOptions>(), NAME, "options")?;
            (options, message::<ConfigProto>(proto, proto_len, NAME, "proto")?)
        };
        options.set_config(config);
        Ok(())
    }
}

/// A hint that changes no result: there is no such compiler here.
#[unsafe(no_mangle)]
pub extern "C" fn TF_EnableXLACompilation(_options: *mut TF_SessionOptions, _enable: c_uchar) {}
