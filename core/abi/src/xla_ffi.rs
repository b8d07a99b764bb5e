//! The types of XLA's foreign function interface (`xla/ffi/api/c_api.h`), as far as handlers use them.

use std::ffi::{c_char, c_int, c_void};

/// The version of the interface whose structs these are.
pub const API_MAJOR: c_int = 0;
/// The version of the interface whose structs these are.
pub const API_MINOR: c_int = 3;

/// An error of XLA.
#[repr(C)]
#[derive(Debug)]
pub struct XLA_FFI_Error {
    _private: [u8; 0],
}

/// The context of an execution.
#[repr(C)]
#[derive(Debug)]
pub struct XLA_FFI_ExecutionContext {
    _private: [u8; 0],
}

/// A member of the chain of extensions; what it is of follows it.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Extension_Base {
    pub struct_size: usize,
    pub kind: c_int,
    pub next: *mut XLA_FFI_Extension_Base,
}

/// The kind of the extension that asks for a handler's metadata.
pub const EXTENSION_METADATA: c_int = 1;

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Api_Version {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub major_version: c_int,
    pub minor_version: c_int,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_TypeId {
    pub type_id: i64,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Metadata {
    pub struct_size: usize,
    pub api_version: XLA_FFI_Api_Version,
    pub traits: u32,
    pub state_type_id: XLA_FFI_TypeId,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Metadata_Extension {
    pub extension_base: XLA_FFI_Extension_Base,
    pub metadata: *mut XLA_FFI_Metadata,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Error_Create_Args {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub message: *const c_char,
    pub errc: c_int,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Error_GetMessage_Args {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub error: *mut XLA_FFI_Error,
    pub message: *const c_char,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Error_Destroy_Args {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub error: *mut XLA_FFI_Error,
}

/// Asks for the stream of a call: a `CUstream` on the platform CUDA.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Stream_Get_Args {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub ctx: *mut XLA_FFI_ExecutionContext,
    pub stream: *mut c_void,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Buffer {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub dtype: c_int,
    pub data: *mut c_void,
    pub rank: i64,
    pub dims: *mut i64,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_ByteSpan {
    pub ptr: *const c_char,
    pub len: usize,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Scalar {
    pub dtype: c_int,
    pub value: *mut c_void,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Array {
    pub dtype: c_int,
    pub size: usize,
    pub data: *mut c_void,
}

/// The inputs of a call.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Args {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub size: i64,
    pub types: *mut c_int,
    pub args: *mut *mut c_void,
}

/// The outputs of a call.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Rets {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub size: i64,
    pub types: *mut c_int,
    pub rets: *mut *mut c_void,
}

/// The attrs of a call, sorted by name.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Attrs {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub size: i64,
    pub types: *mut c_int,
    pub names: *mut *mut XLA_FFI_ByteSpan,
    pub attrs: *mut *mut c_void,
}

#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_CallFrame {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub api: *const XLA_FFI_Api,
    pub ctx: *mut XLA_FFI_ExecutionContext,
    pub stage: c_int,
    pub args: XLA_FFI_Args,
    pub rets: XLA_FFI_Rets,
    pub attrs: XLA_FFI_Attrs,
    pub future: *mut c_void,
}

/// The first of XLA's functions; others follow.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct XLA_FFI_Api {
    pub struct_size: usize,
    pub extension_start: *mut XLA_FFI_Extension_Base,
    pub api_version: XLA_FFI_Api_Version,
    pub internal_api: *const c_void,
    pub error_create: Option<unsafe extern "C" fn(*mut XLA_FFI_Error_Create_Args) -> *mut XLA_FFI_Error>,
    pub error_get_message: Option<unsafe extern "C" fn(*mut XLA_FFI_Error_GetMessage_Args)>,
    pub error_destroy: Option<unsafe extern "C" fn(*mut XLA_FFI_Error_Destroy_Args)>,
    pub handler_register: *const c_void,
    pub stream_get: Option<unsafe extern "C" fn(*mut XLA_FFI_Stream_Get_Args) -> *mut XLA_FFI_Error>,
}

/// What XLA calls for a target; null where the call succeeded.
pub type XLA_FFI_Handler = unsafe extern "C" fn(*mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error;

/// The stage in which buffers are there.
pub const STAGE_EXECUTE: c_int = 3;
/// The kind of arguments and results that are buffers.
pub const KIND_BUFFER: c_int = 1;

/// Kinds of attrs.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod attr_type {
    use std::ffi::c_int;

    pub const ARRAY: c_int = 1;
    pub const DICTIONARY: c_int = 2;
    pub const SCALAR: c_int = 3;
    pub const STRING: c_int = 4;
}

/// Numbers of dtypes.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod dtype {
    use std::ffi::c_int;

    pub const PRED: c_int = 1;
    pub const S8: c_int = 2;
    pub const S16: c_int = 3;
    pub const S32: c_int = 4;
    pub const S64: c_int = 5;
    pub const U8: c_int = 6;
    pub const U16: c_int = 7;
    pub const U32: c_int = 8;
    pub const U64: c_int = 9;
    pub const F16: c_int = 10;
    pub const F32: c_int = 11;
    pub const F64: c_int = 12;
    pub const C64: c_int = 15;
    pub const BF16: c_int = 16;
    pub const C128: c_int = 18;
    pub const F8E5M2: c_int = 19;
    pub const F8E4M3FN: c_int = 20;
    pub const F8E4M3B11FNUZ: c_int = 23;
    pub const F8E5M2FNUZ: c_int = 24;
    pub const F8E4M3FNUZ: c_int = 25;
}
