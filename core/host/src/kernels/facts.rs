//! What else a kernel may ask of its run.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{SP_Stream_st, TF_Buffer, TF_OpKernelContext, TF_Status, TF_StringView};
use oplink_api::{Code, Error, ErrorKind, Result};

use super::construction::view;
use super::context::{Context, of_run};
use crate::guard::{with_status, without_status};

/// Reads a fact of a run; `fallback` for null.
///
/// # Safety
/// The context is null or that of the run that goes on.
unsafe fn fact<T: Copy>(context: *mut TF_OpKernelContext, fallback: T, read: impl FnOnce(&Context) -> T) -> T {
    without_status(fallback, || {
        // SAFETY: `context` is null or alive (Safety section).
        unsafe { of_run(context, "") }.map_or(fallback, read)
    })
}

/// The number of the step; 0 outside of any.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StepId(context: *mut TF_OpKernelContext) -> i64 {
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { fact(context, 0, |run| run.step().map_or(0, |step| step.id() as i64)) }
}

/// As [`TF_StepId`].
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetStepId(context: *mut TF_OpKernelContext) -> i64 {
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { TF_StepId(context) }
}

/// The node's name, valid during the run.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetOpKernelName(context: *mut TF_OpKernelContext) -> TF_StringView {
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { fact(context, view(""), |run| view(&run.node().name)) }
}

/// Empty: kernels are not told which nodes their inputs come from.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetOpKernelRequestedInput(_: *mut TF_OpKernelContext, _: usize) -> TF_StringView {
    view("")
}

/// The device's full name, valid during the run.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetDeviceName(context: *mut TF_OpKernelContext) -> TF_StringView {
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { fact(context, view(""), |run| view(&run.node().device)) }
}

/// The device's number among those of its type.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetDeviceId(context: *mut TF_OpKernelContext) -> c_int {
    let number = |run: &Context| run.node().device.rsplit(':').next().and_then(|id| id.parse().ok()).unwrap_or(0);
    // SAFETY: `context` is null or alive (Safety section).
    unsafe { fact(context, 0, number) }
}

/// 0: loops do not tell their frames.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetFrameId(_: *mut TF_OpKernelContext) -> u64 {
    0
}

/// 0: loops do not tell their iterations.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetIterId(_: *mut TF_OpKernelContext) -> i64 {
    0
}

/// 0: kernels are not told which version of GraphDef their graph is of.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetGraphDefVersion(_: *mut TF_OpKernelContext) -> c_int {
    0
}

/// The container of resources that name none.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetResourceMgrDefaultContainerName(_: *mut TF_OpKernelContext) -> TF_StringView {
    view("localhost")
}

/// Nothing to count: a step ends when its nodes have run.
#[unsafe(no_mangle)]
pub extern "C" fn TF_IncNumDeferredOps(_: *mut TF_OpKernelContext) {}

/// Nothing to count: a step ends when its nodes have run.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DecNumDeferredOps(_: *mut TF_OpKernelContext) {}

/// The compute stream of the node's device; null, and `FailedPrecondition`, where it has none, as devices in host
/// memory.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetStream(context: *mut TF_OpKernelContext, status: *mut TF_Status) -> *mut SP_Stream_st {
    const NAME: &str = "TF_GetStream";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let stream = run.device().map_or(ptr::null_mut(), oplink_api::device::DeviceContext::stream);
        if !stream.is_null() {
            return Ok(stream.cast());
        }
        let message = format!("{NAME}: the device {} has no stream", run.node().device);
        Err(Error::new(Code::FailedPrecondition, ErrorKind::KernelFailed, message))
    })
}

fn not_told(function: &str, what: &str) -> Result<()> {
    Err(Error::unimplemented(format!("{function}: kernels of plugins are not told {what}")))
}

/// Refuses: kernels of plugins are not told the functions of their graph.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetSerializedFunctionDefLibrary(
    _: *mut TF_OpKernelContext,
    _: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetSerializedFunctionDefLibrary";
    with_status(status, NAME, (), || not_told(NAME, "the functions of their graph"));
}

/// Refuses: kernels of plugins are not told the options of their session.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetSerializedConfigProto(
    _: *mut TF_OpKernelContext,
    _: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetSerializedConfigProto";
    with_status(status, NAME, (), || not_told(NAME, "the options of their session"));
}

/// Refuses: handles are not written as messages.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetSerializedResourceHandleProto(
    _: *mut TF_OpKernelContext,
    _: c_int,
    _: *mut TF_Buffer,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetSerializedResourceHandleProto";
    with_status(status, NAME, (), || not_told(NAME, "handles as messages"));
}
