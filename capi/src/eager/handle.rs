//! `TFE_TensorHandle`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::OnceLock;

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TFE_Context, TFE_TensorHandle};
use oplink_api::{Error, Result, Tensor, bail};
use oplink_core::host_device;
use oplink_host::guard::{borrow, text, with_status, without_status};
use oplink_host::tensor::{from_handle, into_handle};

use super::Context;
use super::context::names_device;
use crate::support::{c_count, c_string};

/// What a `TFE_TensorHandle` is here.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    pub(crate) tensor: Tensor,
}

impl Handle {
    /// A handle for C; `TFE_DeleteTensorHandle` frees it.
    pub(crate) fn give(tensor: Tensor) -> *mut TFE_TensorHandle {
        Box::into_raw(Box::new(Self { tensor })).cast()
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
        // SAFETY: the caller's contract.
        unsafe { borrow(handle.cast::<Self>(), function, argument) }
    }
}

/// The full name of the device where tensors are.
fn device_name() -> Result<*const c_char> {
    static NAME: OnceLock<CString> = OnceLock::new();
    let device = host_device()?;
    Ok(NAME.get_or_init(|| c_string(device.name())).as_ptr())
}

/// A handle of a tensor, which the client may delete afterwards.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_NewTensorHandle(t: *const TF_Tensor, status: *mut TF_Status) -> *mut TFE_TensorHandle {
    const NAME: &str = "TFE_NewTensorHandle";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        Ok(Handle::give(unsafe { from_handle(t, NAME, "t") }?.clone()))
    })
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteTensorHandle(h: *mut TFE_TensorHandle) {
    if !h.is_null() {
        // SAFETY: made as a box.
        without_status((), || drop(unsafe { Box::from_raw(h.cast::<Handle>()) }));
    }
}

/// The dtype's number; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDataType(h: *mut TFE_TensorHandle) -> TF_DataType {
    // SAFETY: the caller's contract.
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
    tell: impl FnOnce(&Tensor) -> Result<T>,
) -> T {
    // SAFETY: the caller's contract.
    with_status(status, function, fallback, || tell(unsafe { &Handle::borrow(handle, function, "h")?.tensor }))
}

/// The rank; -1 for null.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleNumDims(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> c_int {
    // SAFETY: the caller's contract.
    unsafe { tell(h, "TFE_TensorHandleNumDims", status, -1, |tensor| Ok(c_count(tensor.rank()))) }
}

/// The number of elements; -1 for null.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleNumElements(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> i64 {
    // SAFETY: the caller's contract.
    unsafe { tell(h, "TFE_TensorHandleNumElements", status, -1, |tensor| Ok(tensor.num_elements() as i64)) }
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
    let dim = |tensor: &Tensor| {
        let dim = usize::try_from(dim_index).ok().and_then(|index| tensor.shape().get(index));
        let missing =
            || Error::invalid_argument(format!("{NAME}: the rank is {}, there is no dim {dim_index}", tensor.rank()));
        dim.map(|&dim| dim as i64).ok_or_else(missing)
    };
    // SAFETY: the caller's contract.
    unsafe { tell(h, NAME, status, -1, dim) }
}

/// The device that computed the tensor; the string lives on.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDeviceName(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> *const c_char {
    // SAFETY: the caller's contract.
    unsafe { tell(h, "TFE_TensorHandleDeviceName", status, ptr::null(), |_| device_name()) }
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
    // SAFETY: the caller's contract.
    unsafe { tell(h, "TFE_TensorHandleBackingDeviceName", status, ptr::null(), |_| device_name()) }
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
    // SAFETY: the caller's contract.
    unsafe {
        tell(h, "TFE_TensorHandleCopySharingTensor", status, ptr::null_mut(), |tensor| Ok(Handle::give(tensor.clone())))
    }
}

/// The tensor, which the client deletes.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleResolve(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> *mut TF_Tensor {
    // SAFETY: the caller's contract.
    unsafe { tell(h, "TFE_TensorHandleResolve", status, ptr::null_mut(), |tensor| Ok(into_handle(tensor.clone()))) }
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
    let copy = |tensor: &Tensor| {
        // SAFETY: the caller's contract.
        let (context, wanted) = unsafe { (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?) };
        let present = context.device().to_string_lossy();
        if !names_device(wanted, &present) {
            bail!("{NAME}: there is no device `{wanted}`, there is `{present}`");
        }
        Ok(Handle::give(tensor.clone()))
    };
    // SAFETY: the caller's contract.
    unsafe { tell(h, NAME, status, ptr::null_mut(), copy) }
}
