//! `TFE_TensorHandle`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TFE_Context, TFE_TensorHandle};
use oplink_api::{Error, Result};
use oplink_core::DeviceName;
use oplink_host::c_api;
use oplink_host::guard::{text, with_status, without_status};
use oplink_host::tensor::{into_handle, value_of_handle};

use super::value::{Handle, Value, give, release};
use super::{Context, packed};
use crate::support::{c_count, c_string};

/// The full name of a device, which is kept for the life of the process.
fn kept(name: CString) -> *const c_char {
    static NAMES: Mutex<Vec<CString>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known.as_ptr();
    }
    let pointer = name.as_ptr();
    names.push(name);
    pointer
}

/// The full name of the device that computed the tensor, or where it is.
fn device_name(handle: &Handle, is_backing: bool) -> Result<CString> {
    Ok(match &handle.value {
        Value::Custom(tensor) => tensor.device().name().to_owned(),
        Value::Packed(_) => {
            let local = DeviceName::local(&packed::DEVICE_TYPE.to_string_lossy(), 0);
            c_string(&local.to_string())
        }
        _ if is_backing => c_string(&handle.public_name(&*handle.backing_device()?)),
        _ => c_string(&handle.public_name(&*handle.device()?)),
    })
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
    // SAFETY: `h` is null, or a reference that this library gave and that the caller gives up.
    unsafe { release(h) }
}

/// The dtype's number; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDataType(h: *mut TFE_TensorHandle) -> TF_DataType {
    // SAFETY: `h` is null or alive (Safety section).
    without_status(0, || unsafe { Handle::borrow(h, "", "") }.map_or(0, |handle| handle.dtype().number()))
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
    tell: impl FnOnce(&Arc<Handle>) -> Result<T>,
) -> T {
    // SAFETY: `handle` is null or alive (Safety section).
    with_status(status, function, fallback, || tell(&*unsafe { Handle::borrow(handle, function, "h") }?))
}

/// The rank.
fn num_dims(handle: &Handle) -> Result<c_int> {
    match &handle.value {
        Value::Custom(tensor) => tensor.num_dims(),
        Value::Packed(packed) => num_dims(packed.first()),
        _ => Ok(c_count(handle.tensor()?.rank())),
    }
}

fn num_elements(handle: &Handle) -> Result<i64> {
    match &handle.value {
        Value::Custom(tensor) => tensor.num_elements(),
        Value::Packed(packed) => num_elements(packed.first()),
        _ => Ok(handle.tensor()?.num_elements() as i64),
    }
}

fn dim(handle: &Handle, index: c_int, function: &str) -> Result<i64> {
    match &handle.value {
        Value::Custom(tensor) => tensor.dim(index),
        Value::Packed(packed) => dim(packed.first(), index, function),
        _ => {
            let tensor = handle.tensor()?;
            let dim = usize::try_from(index).ok().and_then(|index| tensor.shape().get(index));
            let missing = || {
                Error::invalid_argument(format!("{function}: the rank is {}, there is no dim {index}", tensor.rank()))
            };
            dim.map(|&dim| dim as i64).ok_or_else(missing)
        }
    }
}

/// Declares functions that tell one thing of a tensor.
macro_rules! tellers {
    ($($(#[$meta:meta])* $name:ident -> ($ret:ty = $fallback:expr) |$handle:ident| $value:expr;)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// The handles are null or alive.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> $ret {
            // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
            unsafe { tell(h, stringify!($name), status, $fallback, |$handle| $value) }
        }
    )*};
}

tellers! {
    /// The rank; -1 where it cannot be told.
    TFE_TensorHandleNumDims -> (c_int = -1) |handle| num_dims(handle);

    /// The number of elements; -1 where it cannot be told.
    TFE_TensorHandleNumElements -> (i64 = -1) |handle| num_elements(handle);

    /// The device that computed the tensor; the string lives on.
    TFE_TensorHandleDeviceName -> (*const c_char = ptr::null()) |handle| Ok(kept(device_name(handle, false)?));

    /// The device where the tensor is; the string lives on.
    TFE_TensorHandleBackingDeviceName -> (*const c_char = ptr::null()) |handle| Ok(kept(device_name(handle, true)?));

    /// The type of the device that computed the tensor; the string lives on.
    TFE_TensorHandleDeviceType -> (*const c_char = ptr::null()) |handle| {
        Ok(kept(c_string(&parsed(handle)?.device_type.unwrap_or_default())))
    };

    /// The number of the device that computed the tensor, among those of its type; -1 where it cannot be told.
    TFE_TensorHandleDeviceID -> (c_int = -1) |handle| {
        Ok(parsed(handle)?.index.and_then(|index| c_int::try_from(index).ok()).unwrap_or(-1))
    };

    /// Another reference to the same tensor, which the client deletes too.
    TFE_TensorHandleCopySharingTensor -> (*mut TFE_TensorHandle = ptr::null_mut()) |handle| Ok(give(handle.clone()));

    /// The tensor in the host's memory, waited for where its call is queued; the client deletes it.
    TFE_TensorHandleResolve -> (*mut TF_Tensor = ptr::null_mut()) |handle| Ok(into_handle(Handle::on_host(handle)?));

    /// Nothing is wrong with a handle: what its call ended with is told where the tensor is asked for.
    TFE_TensorHandleGetStatus -> (() = ()) |_handle| Ok(());
}

/// The name of the device that computed the tensor, in parts.
fn parsed(handle: &Handle) -> Result<DeviceName> {
    DeviceName::parse(&device_name(handle, false)?.to_string_lossy())
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
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, NAME, status, -1, |handle| dim(handle, dim_index, NAME)) }
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
    let copy = |handle: &Arc<Handle>| {
        // SAFETY: `ctx` is null or alive and `device_name` is null or a terminated string (Safety section).
        let (context, wanted) = unsafe { (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?) };
        context.copy_to_device(handle, wanted, NAME)
    };
    // SAFETY: `h` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(h, NAME, status, ptr::null_mut(), copy) }
}
