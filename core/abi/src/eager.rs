//! Eager calls: callbacks of cancellation managers, and devices whose functions a client writes.

use std::ffi::{c_char, c_int, c_void};

use crate::{TF_Buffer, TF_Status, TFE_Context, TFE_Op, TFE_TensorHandle};

/// Names a callback of a cancellation manager.
pub type TFE_CancellationToken = i64;

/// What a cancellation manager calls.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TFE_CancelCallback {
    /// The function.
    pub callback: Option<unsafe extern "C" fn(context: *mut c_void)>,
    /// What it is given.
    pub context: *mut c_void,
}

/// The functions of a device that a client writes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TFE_CustomDevice {
    /// The version of this struct.
    pub version: c_int,
    /// A handle on the device of a tensor that is elsewhere.
    pub copy_tensor_to_device: Option<
        unsafe extern "C" fn(
            context: *mut TFE_Context,
            tensor: *mut TFE_TensorHandle,
            status: *mut TF_Status,
            device_info: *mut c_void,
        ) -> *mut TFE_TensorHandle,
    >,
    /// A handle elsewhere of a tensor on the device.
    pub copy_tensor_from_device: Option<
        unsafe extern "C" fn(
            context: *mut TFE_Context,
            tensor: *mut TFE_TensorHandle,
            target_device_name: *const c_char,
            status: *mut TF_Status,
            device_info: *mut c_void,
        ) -> *mut TFE_TensorHandle,
    >,
    /// Runs a call.
    pub execute: Option<
        unsafe extern "C" fn(
            op: *const TFE_Op,
            num_outputs: *mut c_int,
            outputs: *mut *mut TFE_TensorHandle,
            s: *mut TF_Status,
            device_info: *mut c_void,
        ),
    >,
    /// Frees what the functions are given.
    pub delete_device: Option<unsafe extern "C" fn(device_info: *mut c_void)>,
    /// One handle of several; may be absent.
    pub pack: Option<
        unsafe extern "C" fn(
            context: *mut TFE_Context,
            handles: *mut *mut TFE_TensorHandle,
            num_handles: c_int,
            s: *mut TF_Status,
            device_info: *mut c_void,
        ) -> *mut TFE_TensorHandle,
    >,
    /// Whether a call with inputs on the device runs there; may be absent.
    pub shall_pin_to_this_device: Option<unsafe extern "C" fn(op: *const TFE_Op, s: *mut TF_Status) -> bool>,
}

/// The functions of a tensor on a device that a client writes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TFE_CustomDeviceTensorHandle {
    /// The version of this struct.
    pub version: c_int,
    /// The rank.
    pub num_dims: Option<unsafe extern "C" fn(data: *mut c_void, status: *mut TF_Status) -> c_int>,
    /// A dim.
    pub dim: Option<unsafe extern "C" fn(data: *mut c_void, dim_index: c_int, status: *mut TF_Status) -> i64>,
    /// Frees the tensor.
    pub deallocator: Option<unsafe extern "C" fn(data: *mut c_void)>,
    /// A text about the tensor's value; may be absent.
    pub summarize: Option<unsafe extern "C" fn(data: *mut c_void, status: *mut TF_Status) -> *mut TF_Buffer>,
}
