//! Messages for clients that write none themselves.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::HashMap;
use std::ffi::{c_char, c_uchar, c_uint};
use std::ptr;

use oplink_abi::TF_Buffer;
use oplink_host::buffer::from_bytes;
use oplink_host::c_api;
use oplink_host::guard::without_status;

use crate::messages::{ConfigProto, GPUOptions, GraphOptions, OptimizerOptions, RunOptions};
use crate::support::unimplemented;

/// The trace level of everything that a run does.
const FULL_TRACE: i32 = 3;
/// Levels of just-in-time compilation.
const JIT_OFF: i32 = -1;
const JIT_ON: i32 = 1;

/// A serialized `ConfigProto`, in a buffer that the client deletes.
#[unsafe(no_mangle)]
pub extern "C" fn TF_CreateConfig(
    enable_xla_compilation: c_uchar,
    gpu_memory_allow_growth: c_uchar,
    num_cpu_devices: c_uint,
) -> *mut TF_Buffer {
    without_status(ptr::null_mut(), || {
        let global_jit_level = if enable_xla_compilation == 0 { JIT_OFF } else { JIT_ON };
        let optimizer_options = Some(OptimizerOptions { global_jit_level, ..OptimizerOptions::default() });
        let config = ConfigProto {
            device_count: HashMap::from([("CPU".to_owned(), i32::try_from(num_cpu_devices).unwrap_or(i32::MAX))]),
            inter_op_parallelism_threads: 1,
            gpu_options: Some(GPUOptions { allow_growth: gpu_memory_allow_growth != 0, ..GPUOptions::default() }),
            graph_options: Some(GraphOptions { optimizer_options }),
            ..ConfigProto::default()
        };
        from_bytes(&oplink_proto::to_bytes(&config))
    })
}

/// A serialized `RunOptions`, in a buffer that the client deletes.
#[unsafe(no_mangle)]
pub extern "C" fn TF_CreateRunOptions(enable_full_trace: c_uchar) -> *mut TF_Buffer {
    without_status(ptr::null_mut(), || {
        let trace_level = if enable_full_trace == 0 { 0 } else { FULL_TRACE };
        from_bytes(&oplink_proto::to_bytes(&RunOptions { trace_level, ..RunOptions::default() }))
    })
}

c_api! {
    /// Unimplemented.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TFE_GetServerDef(_text_proto: *const c_char; status) -> (*mut TF_Buffer = ptr::null_mut()) {
        unimplemented(NAME, "sessions and ops run in this process; there are no servers to describe")
    }
}
