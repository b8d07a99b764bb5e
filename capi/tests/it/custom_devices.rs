//! Devices that a client writes: who frees what, and what is refused.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use oplink_abi::*;
use oplink_capi::eager::custom::api::*;
use oplink_capi::eager::handle::*;

use crate::client::*;
use crate::eager::{Context, handle};

const NAME: &std::ffi::CStr = c"/job:localhost/replica:0/task:0/device:CUSTOM:0";

/// Adds one to a count.
unsafe extern "C" fn count(at: *mut c_void) {
    unsafe { &*at.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn gives_nothing(
    _: *mut TFE_Context,
    _: *mut TFE_TensorHandle,
    _: *mut TF_Status,
    _: *mut c_void,
) -> *mut TFE_TensorHandle {
    ptr::null_mut()
}

unsafe extern "C" fn copies_nothing(
    _: *mut TFE_Context,
    _: *mut TFE_TensorHandle,
    _: *const c_char,
    _: *mut TF_Status,
    _: *mut c_void,
) -> *mut TFE_TensorHandle {
    ptr::null_mut()
}

unsafe extern "C" fn runs_nothing(
    _: *const TFE_Op,
    count: *mut c_int,
    _: *mut *mut TFE_TensorHandle,
    _: *mut TF_Status,
    _: *mut c_void,
) {
    unsafe { *count = 0 };
}

const DEVICE: TFE_CustomDevice = TFE_CustomDevice {
    version: 4,
    copy_tensor_to_device: Some(gives_nothing),
    copy_tensor_from_device: Some(copies_nothing),
    execute: Some(runs_nothing),
    delete_device: Some(count),
    pack: None,
    shall_pin_to_this_device: None,
};

const METHODS: TFE_CustomDeviceTensorHandle =
    TFE_CustomDeviceTensorHandle { version: 4, num_dims: None, dim: None, deallocator: Some(count), summarize: None };

fn counter(of: &AtomicUsize) -> *mut c_void {
    ptr::from_ref(of).cast_mut().cast()
}

#[test]
fn a_device_ends_with_its_context_and_a_refused_one_at_once() {
    let (context, status, ended) = (Context::new(), Status::new(), AtomicUsize::new(0));
    unsafe { TFE_RegisterCustomDevice(context.0, DEVICE, NAME.as_ptr(), counter(&ended), status.0) };
    status.ok();
    let refused = AtomicUsize::new(0);
    let lacking = TFE_CustomDevice { execute: None, ..DEVICE };
    for (device, name, expected) in [
        (DEVICE, NAME, code::ALREADY_EXISTS),
        (DEVICE, c"CUSTOM:1", code::INVALID_ARGUMENT),
        (lacking, c"/job:localhost/replica:0/task:0/device:CUSTOM:1", code::INVALID_ARGUMENT),
    ] {
        unsafe { TFE_RegisterCustomDevice(context.0, device, name.as_ptr(), counter(&refused), status.0) };
        status.is(expected);
    }
    assert_eq!((ended.load(Ordering::Relaxed), refused.load(Ordering::Relaxed)), (0, 3));
    drop(context);
    assert_eq!(ended.load(Ordering::Relaxed), 1);
}

#[test]
fn a_tensor_is_deallocated_once_and_outlives_its_device() {
    let (context, status) = (Context::new(), Status::new());
    let (ended, freed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let tensor = unsafe {
        TFE_RegisterCustomDevice(context.0, DEVICE, NAME.as_ptr(), counter(&ended), status.0);
        TFE_NewCustomDeviceTensorHandle(context.0, NAME.as_ptr(), FLOAT, counter(&freed), METHODS, status.0)
    };
    status.ok();
    drop(context);
    unsafe { TFE_TensorHandleResolve(tensor, status.0) };
    status.is(code::FAILED_PRECONDITION);
    assert_eq!(freed.load(Ordering::Relaxed), 0);
    unsafe { TFE_DeleteTensorHandle(tensor) };
    assert_eq!((ended.load(Ordering::Relaxed), freed.load(Ordering::Relaxed)), (1, 1));
}

#[test]
fn a_device_that_gives_neither_a_handle_nor_an_error_is_told_of() {
    let (context, status, ended) = (Context::new(), Status::new(), AtomicUsize::new(0));
    let input = handle(&[1.0]);
    unsafe {
        TFE_RegisterCustomDevice(context.0, DEVICE, NAME.as_ptr(), counter(&ended), status.0);
        assert!(TFE_TensorHandleCopyToDevice(input, context.0, NAME.as_ptr(), status.0).is_null());
        TFE_DeleteTensorHandle(input);
    }
    status.is(code::INTERNAL);
    assert!(status.message().contains("copy_tensor_to_device"), "{}", status.message());
}
