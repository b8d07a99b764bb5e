//! `TFE_TensorDebugInfo`: how a tensor lies in memory, which is always as its shape says.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TFE_TensorDebugInfo, TFE_TensorHandle};
use oplink_api::Shape;
use oplink_host::c_api;
use oplink_host::guard::delete;

use super::Handle;
use crate::support::c_count;

c_api! {
    /// How a tensor lies in memory; the client deletes it.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_TensorHandleTensorDebugInfo(
        h: *mut TFE_TensorHandle;
        status
    ) -> (*mut TFE_TensorDebugInfo = ptr::null_mut()) {
        // SAFETY: `h` is null or alive (Safety section).
        let shape = unsafe { Handle::borrow(h, NAME, "h") }?.tensor()?.shape().clone();
        Ok(Box::into_raw(Box::new(shape)).cast())
    }
}

/// Frees what is known of a tensor; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteTensorDebugInfo(debug_info: *mut TFE_TensorDebugInfo) {
    // SAFETY: `debug_info` is null or a box that this library made and that the caller gives up.
    unsafe { delete(debug_info.cast::<Shape>()) }
}

/// The rank in memory; -1 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorDebugInfoOnDeviceNumDims(debug_info: *mut TFE_TensorDebugInfo) -> c_int {
    // SAFETY: `debug_info` is null or alive (Safety section).
    unsafe { debug_info.cast::<Shape>().as_ref() }.map_or(-1, |shape| c_count(shape.rank()))
}

/// A dim in memory; -1 where there is none.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorDebugInfoOnDeviceDim(debug_info: *mut TFE_TensorDebugInfo, dim_index: c_int) -> i64 {
    // SAFETY: `debug_info` is null or alive (Safety section).
    let shape = unsafe { debug_info.cast::<Shape>().as_ref() };
    let dim = shape.and_then(|shape| shape.get(usize::try_from(dim_index).ok()?).copied());
    dim.map_or(-1, |dim| dim as i64)
}
