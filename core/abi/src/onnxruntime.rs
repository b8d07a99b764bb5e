//! The types of ONNX Runtime's C API (`onnxruntime_c_api.h`), as far as custom ops use them.

use std::ffi::{c_char, c_int, c_void};

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque! {
    /// An error; null for none.
    OrtStatus
    /// The options of a session.
    OrtSessionOptions
    /// A name space of custom ops.
    OrtCustomOpDomain
    /// What a kernel is constructed from.
    OrtKernelInfo
    /// A run of a kernel.
    OrtKernelContext
    /// A tensor.
    OrtValue
    /// Dtype and shape of a tensor.
    OrtTensorTypeAndShapeInfo
    /// The context of a shape function.
    OrtShapeInferContext
    /// An attr of a node.
    OrtOpAttr
}

/// The table of functions, by the positions of [`function`]; it only grows.
#[repr(C)]
#[derive(Debug)]
pub struct OrtApi {
    /// The functions up to the last one that is used here.
    pub functions: [*const c_void; function::COUNT],
}

/// The table from version 24 on, which goes further.
#[repr(C)]
#[derive(Debug)]
pub struct OrtApi24 {
    /// The functions up to the last one that is used here.
    pub functions: [*const c_void; function::COUNT_24],
}

/// Where the table of functions comes from.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct OrtApiBase {
    pub get_api: Option<unsafe extern "C" fn(u32) -> *const OrtApi>,
    pub get_version_string: Option<unsafe extern "C" fn() -> *const c_char>,
}

/// The version of the API whose table and structs these are: 1.17.
pub const ORT_API_VERSION: u32 = 17;

/// The version from which the table is an [`OrtApi24`]: 1.24.
pub const ORT_API_VERSION_24: u32 = 24;

type Op = *const OrtCustomOp;

/// A custom op.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are the ABI's")]
pub struct OrtCustomOp {
    pub version: u32,
    pub create_kernel: Option<unsafe extern "C" fn(Op, *const OrtApi, *const OrtKernelInfo) -> *mut c_void>,
    pub get_name: Option<unsafe extern "C" fn(Op) -> *const c_char>,
    pub get_execution_provider_type: Option<unsafe extern "C" fn(Op) -> *const c_char>,
    pub get_input_type: Option<unsafe extern "C" fn(Op, usize) -> c_int>,
    pub get_input_type_count: Option<unsafe extern "C" fn(Op) -> usize>,
    pub get_output_type: Option<unsafe extern "C" fn(Op, usize) -> c_int>,
    pub get_output_type_count: Option<unsafe extern "C" fn(Op) -> usize>,
    pub kernel_compute: Option<unsafe extern "C" fn(*mut c_void, *mut OrtKernelContext)>,
    pub kernel_destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    pub get_input_characteristic: Option<unsafe extern "C" fn(Op, usize) -> c_int>,
    pub get_output_characteristic: Option<unsafe extern "C" fn(Op, usize) -> c_int>,
    pub get_input_memory_type: Option<unsafe extern "C" fn(Op, usize) -> c_int>,
    pub get_variadic_input_min_arity: Option<unsafe extern "C" fn(Op) -> c_int>,
    pub get_variadic_input_homogeneity: Option<unsafe extern "C" fn(Op) -> c_int>,
    pub get_variadic_output_min_arity: Option<unsafe extern "C" fn(Op) -> c_int>,
    pub get_variadic_output_homogeneity: Option<unsafe extern "C" fn(Op) -> c_int>,
    pub create_kernel_v2:
        Option<unsafe extern "C" fn(Op, *const OrtApi, *const OrtKernelInfo, *mut *mut c_void) -> *mut OrtStatus>,
    pub kernel_compute_v2: Option<unsafe extern "C" fn(*mut c_void, *mut OrtKernelContext) -> *mut OrtStatus>,
    pub infer_output_shape: Option<unsafe extern "C" fn(Op, *mut OrtShapeInferContext) -> *mut OrtStatus>,
    pub get_start_version: Option<unsafe extern "C" fn(Op) -> c_int>,
    pub get_end_version: Option<unsafe extern "C" fn(Op) -> c_int>,
    /// Functions of later versions.
    pub later: [*const c_void; 4],
}

/// Whether an argument is one tensor or several.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod characteristic {
    use std::ffi::c_int;

    pub const REQUIRED: c_int = 0;
    pub const VARIADIC: c_int = 2;
}

/// Where an input lies: in the execution provider's own memory.
pub const MEMORY_TYPE_DEFAULT: c_int = 0;
/// Where an input lies: in the host's memory, whatever the execution provider.
pub const MEMORY_TYPE_CPU_INPUT: c_int = -2;

/// Kinds of attrs.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod attr_type {
    use std::ffi::c_int;

    pub const INT: c_int = 1;
    pub const INTS: c_int = 2;
    pub const FLOAT: c_int = 3;
    pub const FLOATS: c_int = 4;
    pub const STRING: c_int = 5;
}

/// Codes of errors.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod error_code {
    use std::ffi::c_int;

    pub const FAIL: c_int = 1;
    pub const INVALID_ARGUMENT: c_int = 2;
    pub const NOT_IMPLEMENTED: c_int = 9;
}

/// Numbers of dtypes.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod dtype {
    use std::ffi::c_int;

    pub const FLOAT: c_int = 1;
    pub const UINT8: c_int = 2;
    pub const INT8: c_int = 3;
    pub const UINT16: c_int = 4;
    pub const INT16: c_int = 5;
    pub const INT32: c_int = 6;
    pub const INT64: c_int = 7;
    pub const STRING: c_int = 8;
    pub const BOOL: c_int = 9;
    pub const FLOAT16: c_int = 10;
    pub const DOUBLE: c_int = 11;
    pub const UINT32: c_int = 12;
    pub const UINT64: c_int = 13;
    pub const BFLOAT16: c_int = 16;
    pub const FLOAT8E4M3FN: c_int = 17;
    pub const FLOAT8E4M3FNUZ: c_int = 18;
    pub const FLOAT8E5M2: c_int = 19;
    pub const FLOAT8E5M2FNUZ: c_int = 20;
}

/// Positions of functions in the table.
#[allow(missing_docs, reason = "the names are the ABI's")]
pub mod function {
    pub const CREATE_STATUS: usize = 0;
    pub const GET_ERROR_MESSAGE: usize = 2;
    pub const CREATE_CUSTOM_OP_DOMAIN: usize = 26;
    pub const CUSTOM_OP_DOMAIN_ADD: usize = 27;
    pub const ADD_CUSTOM_OP_DOMAIN: usize = 28;
    pub const GET_TENSOR_MUTABLE_DATA: usize = 51;
    pub const CREATE_TENSOR_TYPE_AND_SHAPE_INFO: usize = 57;
    pub const SET_TENSOR_ELEMENT_TYPE: usize = 58;
    pub const SET_DIMENSIONS: usize = 59;
    pub const GET_TENSOR_ELEMENT_TYPE: usize = 60;
    pub const GET_DIMENSIONS_COUNT: usize = 61;
    pub const GET_DIMENSIONS: usize = 62;
    pub const GET_TENSOR_TYPE_AND_SHAPE: usize = 65;
    pub const KERNEL_INFO_GET_ATTRIBUTE_FLOAT: usize = 85;
    pub const KERNEL_INFO_GET_ATTRIBUTE_INT64: usize = 86;
    pub const KERNEL_INFO_GET_ATTRIBUTE_STRING: usize = 87;
    pub const KERNEL_CONTEXT_GET_INPUT: usize = 90;
    pub const KERNEL_CONTEXT_GET_OUTPUT: usize = 91;
    pub const RELEASE_STATUS: usize = 93;
    pub const RELEASE_TENSOR_TYPE_AND_SHAPE_INFO: usize = 99;
    pub const GET_STRING_TENSOR_ELEMENT_LENGTH: usize = 127;
    pub const GET_STRING_TENSOR_ELEMENT: usize = 128;
    pub const KERNEL_INFO_GET_ATTRIBUTE_ARRAY_FLOAT: usize = 162;
    pub const KERNEL_INFO_GET_ATTRIBUTE_ARRAY_INT64: usize = 163;
    pub const KERNEL_CONTEXT_GET_GPU_COMPUTE_STREAM: usize = 193;
    pub const KERNEL_INFO_GET_INPUT_COUNT: usize = 230;
    pub const KERNEL_INFO_GET_OUTPUT_COUNT: usize = 231;
    pub const GET_RESIZED_STRING_TENSOR_ELEMENT_BUFFER: usize = 252;
    pub const SHAPE_INFER_CONTEXT_GET_INPUT_COUNT: usize = 267;
    pub const SHAPE_INFER_CONTEXT_GET_INPUT_TYPE_SHAPE: usize = 268;
    pub const SHAPE_INFER_CONTEXT_GET_ATTRIBUTE: usize = 269;
    pub const SHAPE_INFER_CONTEXT_SET_OUTPUT_TYPE_SHAPE: usize = 270;
    pub const SET_SYMBOLIC_DIMENSIONS: usize = 271;
    pub const READ_OP_ATTR: usize = 272;
    pub const COUNT: usize = 273;

    pub const GET_TENSOR_ELEMENT_TYPE_AND_SHAPE_DATA_REFERENCE: usize = 414;
    pub const COUNT_24: usize = 415;
}
