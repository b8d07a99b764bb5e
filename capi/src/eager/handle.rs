//! `TFE_TensorHandle`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TFE_Context, TFE_TensorHandle};
use oplink_api::device::copy_to_host_blocking;
use oplink_api::{Error, Result, Tensor};
use oplink_core::{Device, host_device};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, text, with_status};
use oplink_host::tensor::{into_handle, value_of_handle};

use super::Context;
use crate::support::{c_count, c_string};

/// What a `TFE_TensorHandle` is here.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) tensor: Tensor,
    /// The device in whose memory the tensor is, if that is not the host's.
    device: Option<Arc<dyn Device>>,
}

impl Handle {
    /// A handle of a tensor in the host's memory for C; `TFE_DeleteTensorHandle` frees it.
    pub(crate) fn give(tensor: Tensor) -> *mut TFE_TensorHandle {
        Self { tensor, device: None }.into_raw()
    }

    /// As [`Handle::give`], of a tensor in the memory of the host or of one of these devices.
    pub(super) fn of(tensor: Tensor, devices: &[Arc<dyn Device>]) -> *mut TFE_TensorHandle {
        let memory = tensor.device_memory();
        let device = memory.and_then(|memory| devices.iter().find(|device| device.name() == memory.block.device()));
        let device = device.cloned();
        Self { tensor, device }.into_raw()
    }

    fn into_raw(self) -> *mut TFE_TensorHandle {
        Box::into_raw(Box::new(self)).cast()
    }

    /// The tensor in the host's memory.
    fn on_host(&self) -> Result<Tensor> {
        match self.device.as_ref().and_then(|device| device.context()) {
            Some(context) => copy_to_host_blocking(&**context, &self.tensor),
            None => Ok(self.tensor.clone()),
        }
    }

    /// The tensor behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(
        handle: *const TFE_TensorHandle,
        function: &str,
        argument: &str,
    ) -> Result<&'a Self> {
        // SAFETY: `handle` is null or alive (Safety section).
        unsafe { borrow(handle.cast::<Self>(), function, argument) }
    }
}

/// The full name of the device in whose memory a tensor is. Names are kept for the life of the process.
fn device_name(handle: &Handle) -> Result<*const c_char> {
    static NAMES: Mutex<Vec<CString>> = Mutex::new(Vec::new());
    let name = match &handle.device {
        Some(device) => c_string(device.name()),
        None => c_string(host_device()?.name()),
    };
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return Ok(known.as_ptr());
    }
    let pointer = name.as_ptr();
    names.push(name);
    Ok(pointer)
}

c_api! {
    /// A handle of a tensor, which the client may delete afterwards.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_NewTensorHandle(t: *const TF_Tensor; status) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        // SAFETY: `t` is null or alive (Safety section).
        Ok(Handle::give(unsafe { value_of_handle(t, NAME, "t") }?))
    }
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteTensorHandle(h: *mut TFE_TensorHandle) {
    // SAFETY: `h` is null or a box that this library made and that the caller gives up.
    unsafe { delete(h.cast::<Handle>()) }
}

/// The dtype's number; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDataType(h: *mut TFE_TensorHandle) -> TF_DataType {
    // SAFETY: `h` is null or alive (Safety section).
    unsafe { Handle::borrow(h, "", "") }.map_or(0, |handle| handle.tensor.dtype().number())
}

/// Tells one thing of a tensor.
///
/// # Safety
/// The handles are null or alive.
unsafe fn tell<T>(
    handle: *const TFE_TensorHandle,
    function: &str,
    status: *mut TF_Status,
    fallback: T,
    tell: impl FnOnce(&Handle) -> Result<T>,
) -> T {
    // SAFETY: `handle` is null or alive (Safety section).
    with_status(status, function, fallback, || tell(unsafe { Handle::borrow(handle, function, "h") }?))
}

/// The rank; -1 for null.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleNumDims(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> c_int {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, "TFE_TensorHandleNumDims", status, -1, |handle| Ok(c_count(handle.tensor.rank()))) }
}

/// The number of elements; -1 for null.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleNumElements(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> i64 {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, "TFE_TensorHandleNumElements", status, -1, |handle| Ok(handle.tensor.num_elements() as i64)) }
}

/// A dim; -1 where there is none of this index.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDim(
    h: *mut TFE_TensorHandle,
    dim_index: c_int,
    status: *mut TF_Status,
) -> i64 {
    const NAME: &str = "TFE_TensorHandleDim";
    let dim = |handle: &Handle| {
        let tensor = &handle.tensor;
        let dim = usize::try_from(dim_index).ok().and_then(|index| tensor.shape().get(index));
        let missing =
            || Error::invalid_argument(format!("{NAME}: the rank is {}, there is no dim {dim_index}", tensor.rank()));
        dim.map(|&dim| dim as i64).ok_or_else(missing)
    };
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, NAME, status, -1, dim) }
}

/// The device that computed the tensor; the string lives on.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDeviceName(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> *const c_char {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, "TFE_TensorHandleDeviceName", status, ptr::null(), device_name) }
}

/// The device where the tensor is; the string lives on.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleBackingDeviceName(
    h: *mut TFE_TensorHandle,
    status: *mut TF_Status,
) -> *const c_char {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, "TFE_TensorHandleBackingDeviceName", status, ptr::null(), device_name) }
}

/// Another handle of the same tensor.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleCopySharingTensor(
    h: *mut TFE_TensorHandle,
    status: *mut TF_Status,
) -> *mut TFE_TensorHandle {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        tell(h, "TFE_TensorHandleCopySharingTensor", status, ptr::null_mut(), |handle| Ok(handle.clone().into_raw()))
    }
}

/// The tensor, copied to the host where it is elsewhere; the client deletes it.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleResolve(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> *mut TF_Tensor {
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, "TFE_TensorHandleResolve", status, ptr::null_mut(), |handle| Ok(into_handle(handle.on_host()?))) }
}

/// A handle of the tensor on a device.
///
/// # Safety
/// The handles are null or alive; `device_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleCopyToDevice(
    h: *mut TFE_TensorHandle,
    ctx: *mut TFE_Context,
    device_name: *const c_char,
    status: *mut TF_Status,
) -> *mut TFE_TensorHandle {
    const NAME: &str = "TFE_TensorHandleCopyToDevice";
    let copy = |handle: &Handle| {
        // SAFETY: `ctx` is null or alive and `device_name` is null or a terminated string (Safety section).
        let (context, wanted) = unsafe { (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?) };
        let device = context.device(wanted, NAME)?;
        let tensor = match &handle.device {
            Some(present) if Arc::ptr_eq(present, &device) => handle.tensor.clone(),
            _ => context.eager().to_device(&device, &handle.on_host()?)?,
        };
        Ok(Handle::of(tensor, context.devices()))
    };
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, NAME, status, ptr::null_mut(), copy) }
}
