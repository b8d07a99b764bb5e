//! `TFE_Context`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_int};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use oplink_abi::{TF_DeviceList, TF_Status, TFE_Context, TFE_ContextOptions};
use oplink_api::Result;
use oplink_core::{DeviceName, host_device};
use oplink_graph::eager::EagerContext;
use oplink_host::guard::{borrow, with_status, without_status};

use super::context_options::Options;
use crate::session::device_list;
use crate::support::{c_string, registry};

/// What a `TFE_Context` is here: ops and handles keep it alive.
#[derive(Clone)]
pub(crate) struct Context(Arc<Inner>);

struct Inner {
    eager: EagerContext,
    device: CString,
    policy: AtomicI32,
}

impl Context {
    fn new(options: &Options) -> Result<Self> {
        let device = host_device()?;
        let threads = usize::try_from(options.config.intra_op_parallelism_threads).unwrap_or(0);
        let eager = match threads {
            0 => EagerContext::new(registry()?, device.clone()),
            threads => EagerContext::with_threads(registry()?, device.clone(), threads)?,
        };
        let eager = eager.following_plugins();
        let policy = AtomicI32::new(options.policy);
        Ok(Self(Arc::new(Inner { eager, device: c_string(device.name()), policy })))
    }

    /// The context behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(context: *const TFE_Context, function: &str) -> Result<&'a Self> {
        // SAFETY: the caller's contract.
        unsafe { borrow(context.cast::<Self>(), function, "ctx") }
    }

    /// Where ops run.
    pub(crate) fn eager(&self) -> &EagerContext {
        &self.0.eager
    }

    /// The full name of the device where ops run.
    pub(crate) fn device(&self) -> &CString {
        &self.0.device
    }
}

/// Whether a device name, which may leave parts out, means this device.
pub(super) fn names_device(wanted: &str, full: &str) -> bool {
    let names = DeviceName::parse(wanted).and_then(|wanted| Ok((wanted, DeviceName::parse(full)?)));
    names.is_ok_and(|(wanted, full)| wanted.matches(&full))
}

/// A context.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_NewContext(opts: *const TFE_ContextOptions, status: *mut TF_Status) -> *mut TFE_Context {
    const NAME: &str = "TFE_NewContext";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        let context = Context::new(unsafe { Options::borrow(opts, NAME) }?)?;
        Ok(Box::into_raw(Box::new(context)).cast())
    })
}

/// Frees a context; null is allowed. Handles of tensors stay.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteContext(ctx: *mut TFE_Context) {
    if !ctx.is_null() {
        // SAFETY: made as a box.
        without_status((), || drop(unsafe { Box::from_raw(ctx.cast::<Context>()) }));
    }
}

/// The devices.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextListDevices(ctx: *mut TFE_Context, status: *mut TF_Status) -> *mut TF_DeviceList {
    const NAME: &str = "TFE_ContextListDevices";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        unsafe { Context::borrow(ctx, NAME) }?;
        device_list()
    })
}

/// Drops the kernels of former calls.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextClearCaches(ctx: *mut TFE_Context) {
    // SAFETY: the caller's contract.
    let context = unsafe { Context::borrow(ctx, "TFE_ContextClearCaches") };
    without_status((), || {
        if let Ok(context) = context {
            context.eager().clear_kernels();
        }
    });
}

/// Sets what happens to inputs on other devices, of which there are none.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextSetThreadLocalDevicePlacementPolicy(ctx: *mut TFE_Context, policy: c_int) {
    // SAFETY: the caller's contract.
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.0.policy.store(policy, Ordering::Relaxed);
    }
}

/// What was set for inputs on other devices; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextGetDevicePlacementPolicy(ctx: *mut TFE_Context) -> c_int {
    // SAFETY: the caller's contract.
    unsafe { Context::borrow(ctx, "") }.map_or(0, |context| context.0.policy.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::names_device;

    #[test]
    fn devices_by_parts_of_their_names() {
        let full = "/job:localhost/replica:0/task:0/device:CPU:0";
        let yes =
            ["", "/device:CPU:0", "/cpu:0", "CPU:0", "CPU", "/job:localhost/task:0/device:cpu:0", "/job:localhost"];
        assert!(yes.iter().all(|name| names_device(name, full)), "{yes:?}");
        let no = ["/device:GPU:0", "/cpu:1", "/job:worker/device:CPU:0", "nonsense"];
        assert!(no.iter().all(|name| !names_device(name, full)), "{no:?}");
    }
}
