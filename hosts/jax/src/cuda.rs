//! The handlers for the platform CUDA: one for each op, since neither its target nor its platform is told by a call.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, c_void};
use std::ptr;

use oplink_abi::xla_ffi::{
    XLA_FFI_Api, XLA_FFI_Buffer, XLA_FFI_CallFrame, XLA_FFI_Error, XLA_FFI_Error_Destroy_Args,
    XLA_FFI_Error_GetMessage_Args, XLA_FFI_Handler, XLA_FFI_Stream_Get_Args,
};
use oplink_api::{DType, Error, Result, Shape, Tensor};
use oplink_hosts_common::cuda::{Call, ForeignStream};
use oplink_hosts_common::{HostedOp, OutputMemory};
use smallvec::SmallVec;

use crate::buffers::{Results, shape};
use crate::call::{JaxPlugin, arguments, check_results, guarded_call, handler_of, key};
use crate::dtypes;

oplink_hosts_common::position_table! {
    /// As many handlers as there are ops, at least, in rows.
    pub(crate) fn handlers() -> XLA_FFI_Handler; handle
}

unsafe extern "C" fn handle<const ROW: usize, const AT: usize>(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
    // SAFETY: XLA passes the frame of a call of the target that was registered with this handler.
    unsafe { guarded_call(|op, frame| run(op, frame), " for GPUs", ROW * 16 + AT, frame) }
}

/// The handler for the platform CUDA of the op at a position; `None` where there is no such op, or a declaration is
/// wrong. An op without a kernel for GPUs has one too, which says so.
pub fn cuda_handler(plugin: &'static JaxPlugin, position: usize) -> Option<XLA_FFI_Handler> {
    handler_of(plugin, plugin.cuda_handlers, position)
}

/// # Safety
/// As [`guarded_call`].
unsafe fn run(op: &HostedOp, frame: &XLA_FFI_CallFrame) -> Result<()> {
    // SAFETY: the contract of this function.
    let (arguments, results) = unsafe { arguments(frame) };
    // SAFETY: XLA's stream is alive during the call.
    let call = unsafe { Call::begin(stream(frame)?, None) }?;
    let results = DeviceResults { results, stream: call.stream().clone() };
    let view = |buffer: &XLA_FFI_Buffer| {
        // SAFETY: the buffer is memory of the call's GPU, which XLA keeps until the stream's work is done.
        unsafe { call.stream().tensor(dtypes::from_xla(buffer.dtype)?, shape(buffer)?, buffer.data.cast()) }
    };
    let inputs = arguments.checked()?.into_iter().map(view).collect::<Result<SmallVec<[Tensor; 4]>>>()?;
    // SAFETY: the contract of this function.
    let key = unsafe { key(op, frame, &inputs) }?;
    let kernel = op.prepared_on_gpu(&key)?;
    check_results(op, kernel.node(), &results.results)?;
    kernel.run(inputs, &results, call.stream())
}

/// The stream of a call.
///
/// # Safety
/// As [`guarded_call`].
unsafe fn stream(frame: &XLA_FFI_CallFrame) -> Result<*mut c_void> {
    // SAFETY: XLA's table of functions is alive during the call.
    let Some(api) = (unsafe { frame.api.as_ref() }) else { return Err(Error::internal("XLA gave no functions")) };
    let mut args = XLA_FFI_Stream_Get_Args {
        struct_size: size_of::<XLA_FFI_Stream_Get_Args>(),
        extension_start: ptr::null_mut(),
        ctx: frame.ctx,
        stream: ptr::null_mut(),
    };
    let get = api.stream_get.ok_or_else(|| Error::internal("XLA has no function that gives a call's stream"))?;
    // SAFETY: the context is that of the call.
    let error = unsafe { get(&raw mut args) };
    if error.is_null() {
        return Ok(args.stream);
    }
    // SAFETY: the error is this function's to free.
    Err(unsafe { taken(api, error) })
}

/// An error of XLA, which is freed.
///
/// # Safety
/// The error is alive, and the caller's.
unsafe fn taken(api: &XLA_FFI_Api, error: *mut XLA_FFI_Error) -> Error {
    let extension_start = ptr::null_mut();
    let struct_size = size_of::<XLA_FFI_Error_GetMessage_Args>();
    let mut asked = XLA_FFI_Error_GetMessage_Args { struct_size, extension_start, error, message: ptr::null() };
    let struct_size = size_of::<XLA_FFI_Error_Destroy_Args>();
    let mut freed = XLA_FFI_Error_Destroy_Args { struct_size, extension_start, error };
    // SAFETY: the error is alive until it is freed; its message is terminated.
    unsafe {
        if let Some(get) = api.error_get_message {
            get(&raw mut asked);
        }
        let message = (!asked.message.is_null()).then(|| CStr::from_ptr(asked.message).to_string_lossy().into_owned());
        if let Some(destroy) = api.error_destroy {
            destroy(&raw mut freed);
        }
        Error::internal(format!("XLA gives no stream: {}", message.unwrap_or_default()))
    }
}

/// The results of one call, in the GPU's memory, which is there before it.
struct DeviceResults<'a> {
    results: Results<'a>,
    stream: ForeignStream,
}

impl OutputMemory for DeviceResults<'_> {
    fn allocate(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<Tensor> {
        let buffer = self.results.buffer(index, dtype, wanted)?;
        // SAFETY: the result's memory is this call's alone until the stream's work is done.
        unsafe { self.stream.tensor(dtype, wanted.clone(), buffer.data.cast()) }
    }
}
