//! Devices that a client writes: they hold tensors that only the client sees, and run calls by the client's functions.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod api;
mod placement;
mod tensor;

use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oplink_abi::{TF_Status, TFE_Context, TFE_CustomDevice, TFE_Op, TFE_TensorHandle};
use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_host::guard::without_status;
use oplink_host::status::OwnedStatus;

pub(super) use placement::device_for;
pub(super) use tensor::CustomTensor;

use super::Context;
use super::value::{Handle, Value, release};
use crate::support::c_string;

/// A device of a client, as long as its context.
pub(super) struct CustomDevice {
    name: CString,
    context: *mut TFE_Context,
    functions: TFE_CustomDevice,
    info: *mut c_void,
    has_ended: AtomicBool,
}

// SAFETY: the client vouches that its functions may be called on any thread, as TensorFlow does.
unsafe impl Send for CustomDevice {}
// SAFETY: as above; what changes here is atomic.
unsafe impl Sync for CustomDevice {}

impl CustomDevice {
    pub(super) fn name(&self) -> &CStr {
        &self.name
    }

    /// The name by which the client knows the host's device.
    ///
    /// # Errors
    /// The device ended with its context.
    fn host_name(&self) -> Result<CString> {
        self.check()?;
        // SAFETY: the context is alive until it ends this device.
        Ok(c_string(&unsafe { Context::borrow(self.context, "") }?.host_name()))
    }

    /// # Errors
    /// The device ended with its context.
    fn check(&self) -> Result<()> {
        if !self.has_ended.load(Ordering::Acquire) {
            return Ok(());
        }
        let message = format!("the device {} ended with its context", self.name.to_string_lossy());
        Err(Error::new(Code::FailedPrecondition, ErrorKind::Device, message))
    }

    /// Calls one of the client's functions; what its status says is the error.
    ///
    /// # Errors
    /// The device ended with its context; the function is absent, `what` names it; or it gave an error.
    fn call<F, T>(&self, function: Option<F>, what: &str, body: impl FnOnce(F, *mut TF_Status) -> T) -> Result<T> {
        self.check()?;
        let Some(function) = function else {
            let name = self.name.to_string_lossy();
            return Err(Error::unimplemented(format!("the device {name} has no function `{what}`")));
        };
        let status = OwnedStatus::new();
        let answer = body(function, status.as_ptr());
        status.to_result()?;
        Ok(answer)
    }

    /// As [`CustomDevice::call`], of a function that gives a handle, which becomes the caller's.
    fn handle_of<F>(
        &self,
        function: Option<F>,
        what: &str,
        body: impl FnOnce(F, *mut TF_Status) -> *mut TFE_TensorHandle,
    ) -> Result<*mut TFE_TensorHandle> {
        let handle = self.call(function, what, body)?;
        let missing = || {
            let name = self.name.to_string_lossy();
            Error::internal(format!("`{what}` of the device {name} gave neither a handle nor an error"))
        };
        if handle.is_null() { Err(missing()) } else { Ok(handle) }
    }

    /// A handle on this device of a tensor that is elsewhere.
    pub(super) fn copy_to(&self, handle: &Arc<Handle>) -> Result<*mut TFE_TensorHandle> {
        self.handle_of(self.functions.copy_tensor_to_device, "copy_tensor_to_device", |copy, status| {
            // SAFETY: the function of the client, with what the interface says that it is given.
            unsafe { copy(self.context, lent(handle), status, self.info) }
        })
    }

    /// A handle elsewhere of a tensor on this device.
    pub(super) fn copy_from(&self, handle: &Arc<Handle>, target: &CStr) -> Result<*mut TFE_TensorHandle> {
        self.handle_of(self.functions.copy_tensor_from_device, "copy_tensor_from_device", |copy, status| {
            // SAFETY: the function of the client, with what the interface says that it is given.
            unsafe { copy(self.context, lent(handle), target.as_ptr(), status, self.info) }
        })
    }

    /// Runs a call: as many outputs as the function says, at most as many as there is room for.
    ///
    /// # Safety
    /// The call is alive, and nobody changes it meanwhile.
    pub(super) unsafe fn execute(&self, op: *const TFE_Op, outputs: &mut [*mut TFE_TensorHandle]) -> Result<usize> {
        let room = c_int::try_from(outputs.len()).unwrap_or(c_int::MAX);
        let mut made = vec![std::ptr::null_mut(); room as usize];
        let mut count = room;
        let ran = self.call(self.functions.execute, "execute", |execute, status| {
            // SAFETY: the function of the client, with what the interface says that it is given.
            unsafe { execute(op, &raw mut count, made.as_mut_ptr(), status, self.info) }
        });
        let count = usize::try_from(count).unwrap_or(0).min(made.len());
        if let Err(error) = ran {
            // SAFETY: what the function left there are handles that it made, or null.
            made.into_iter().for_each(|handle| unsafe { release(handle) });
            return Err(error);
        }
        outputs[..count].copy_from_slice(&made[..count]);
        Ok(count)
    }

    /// Whether a call with inputs on this device runs there; `None` where the client leaves that open.
    ///
    /// # Safety
    /// As [`CustomDevice::execute`].
    unsafe fn shall_pin(&self, op: *const TFE_Op) -> Option<bool> {
        let pin = self.functions.shall_pin_to_this_device?;
        // SAFETY: the function of the client, with what the interface says that it is given.
        self.call(Some(pin), "shall_pin_to_this_device", |pin, status| unsafe { pin(op, status) }).ok()
    }

    /// Ends the device: the client frees what its functions are given.
    pub(super) fn end(&self) {
        if !self.has_ended.swap(true, Ordering::AcqRel) {
            delete(&self.functions, self.info);
        }
    }
}

impl Drop for CustomDevice {
    fn drop(&mut self) {
        self.end();
    }
}

/// Lets a client free what its functions are given.
fn delete(functions: &TFE_CustomDevice, info: *mut c_void) {
    if let Some(delete) = functions.delete_device {
        // SAFETY: the function of the client, called once with what it is for.
        without_status((), || unsafe { delete(info) });
    }
}

/// A handle for the time of a call.
fn lent(handle: &Arc<Handle>) -> *mut TFE_TensorHandle {
    Arc::as_ptr(handle).cast_mut().cast()
}

/// The client's device of a handle.
pub(super) fn device_of(handle: &Handle) -> Option<&Arc<CustomDevice>> {
    match &handle.value {
        Value::Custom(tensor) => Some(tensor.device()),
        _ => None,
    }
}

/// One handle of several, by the device's own function.
pub(super) fn pack(
    device: &Arc<CustomDevice>,
    context: *mut TFE_Context,
    handles: &[Arc<Handle>],
) -> Result<*mut TFE_TensorHandle> {
    let mut lent: Vec<*mut TFE_TensorHandle> = handles.iter().map(lent).collect();
    let count = c_int::try_from(lent.len()).unwrap_or(c_int::MAX);
    device.handle_of(device.functions.pack, "pack", |pack, status| {
        // SAFETY: the function of the client, with what the interface says that it is given.
        unsafe { pack(context, lent.as_mut_ptr(), count, status, device.info) }
    })
}

/// A counted handle of what a client's function gave.
fn taken(handle: *mut TFE_TensorHandle) -> Option<Arc<Handle>> {
    // SAFETY: the client's function made it by this library and gives it up.
    unsafe { Handle::take(handle) }
}

/// A handle of a tensor off its client's device, for a call elsewhere.
pub(super) fn copied_from(device: &CustomDevice, handle: &Arc<Handle>, target: &CStr) -> Result<Arc<Handle>> {
    let copied = taken(device.copy_from(handle, target)?);
    copied.ok_or_else(|| Error::internal("a client's device gave no handle"))
}
