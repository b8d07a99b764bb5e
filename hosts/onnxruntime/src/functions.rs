//! ONNX Runtime's functions, read from its table by position.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use oplink_abi::onnxruntime::{
    ORT_API_VERSION, ORT_API_VERSION_24, OrtApi, OrtApi24, OrtApiBase, OrtCustomOp, OrtCustomOpDomain,
    OrtKernelContext, OrtKernelInfo, OrtOpAttr, OrtSessionOptions, OrtShapeInferContext, OrtStatus,
    OrtTensorTypeAndShapeInfo, OrtValue, error_code, function,
};
use oplink_api::{Code, Error, Result};

type Status = *mut OrtStatus;
type Info = OrtTensorTypeAndShapeInfo;
type TypeAndShape = unsafe extern "C" fn(*const OrtValue, *mut c_int, *mut *const i64, *mut usize) -> Status;

macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident: $position:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// ONNX Runtime's functions.
        pub(crate) struct Ort {
            $($(#[$meta])* pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Dtype and extents, which are the value's own; 1.24 has it.
            pub(crate) type_and_shape: Option<TypeAndShape>,
        }

        impl Ort {
            /// The functions of a table.
            ///
            /// # Safety
            /// The table is one of ONNX Runtime, of the version whose positions these are.
            unsafe fn of(api: &OrtApi) -> Self {
                Self {
                    // SAFETY: the function at this position has this signature, and none of the table is null.
                    $($name: unsafe {
                        std::mem::transmute::<*const c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                            api.functions[function::$position],
                        )
                    },)*
                    type_and_shape: None,
                }
            }
        }
    };
}

functions! {
    create_status: CREATE_STATUS(c_int, *const c_char) -> Status;
    get_error_message: GET_ERROR_MESSAGE(*const OrtStatus) -> *const c_char;
    release_status: RELEASE_STATUS(Status);
    create_domain: CREATE_CUSTOM_OP_DOMAIN(*const c_char, *mut *mut OrtCustomOpDomain) -> Status;
    domain_add: CUSTOM_OP_DOMAIN_ADD(*mut OrtCustomOpDomain, *const OrtCustomOp) -> Status;
    add_domain: ADD_CUSTOM_OP_DOMAIN(*mut OrtSessionOptions, *mut OrtCustomOpDomain) -> Status;
    tensor_data: GET_TENSOR_MUTABLE_DATA(*mut OrtValue, *mut *mut c_void) -> Status;
    tensor_info: GET_TENSOR_TYPE_AND_SHAPE(*const OrtValue, *mut *mut Info) -> Status;
    create_info: CREATE_TENSOR_TYPE_AND_SHAPE_INFO(*mut *mut Info) -> Status;
    release_info: RELEASE_TENSOR_TYPE_AND_SHAPE_INFO(*mut Info);
    set_element_type: SET_TENSOR_ELEMENT_TYPE(*mut Info, c_int) -> Status;
    element_type: GET_TENSOR_ELEMENT_TYPE(*const Info, *mut c_int) -> Status;
    rank: GET_DIMENSIONS_COUNT(*const Info, *mut usize) -> Status;
    dimensions: GET_DIMENSIONS(*const Info, *mut i64, usize) -> Status;
    set_dimensions: SET_DIMENSIONS(*mut Info, *const i64, usize) -> Status;
    set_symbolic_dimensions: SET_SYMBOLIC_DIMENSIONS(*mut Info, *mut *const c_char, usize) -> Status;
    string_length: GET_STRING_TENSOR_ELEMENT_LENGTH(*const OrtValue, usize, *mut usize) -> Status;
    string: GET_STRING_TENSOR_ELEMENT(*const OrtValue, usize, usize, *mut c_void) -> Status;
    string_buffer: GET_RESIZED_STRING_TENSOR_ELEMENT_BUFFER(*mut OrtValue, usize, usize, *mut *mut c_char) -> Status;
    attr_float: KERNEL_INFO_GET_ATTRIBUTE_FLOAT(*const OrtKernelInfo, *const c_char, *mut f32) -> Status;
    attr_int: KERNEL_INFO_GET_ATTRIBUTE_INT64(*const OrtKernelInfo, *const c_char, *mut i64) -> Status;
    attr_string:
        KERNEL_INFO_GET_ATTRIBUTE_STRING(*const OrtKernelInfo, *const c_char, *mut c_char, *mut usize) -> Status;
    attr_floats:
        KERNEL_INFO_GET_ATTRIBUTE_ARRAY_FLOAT(*const OrtKernelInfo, *const c_char, *mut f32, *mut usize) -> Status;
    attr_ints:
        KERNEL_INFO_GET_ATTRIBUTE_ARRAY_INT64(*const OrtKernelInfo, *const c_char, *mut i64, *mut usize) -> Status;
    num_inputs_of_kernel: KERNEL_INFO_GET_INPUT_COUNT(*const OrtKernelInfo, *mut usize) -> Status;
    num_outputs_of_kernel: KERNEL_INFO_GET_OUTPUT_COUNT(*const OrtKernelInfo, *mut usize) -> Status;
    input: KERNEL_CONTEXT_GET_INPUT(*const OrtKernelContext, usize, *mut *const OrtValue) -> Status;
    output: KERNEL_CONTEXT_GET_OUTPUT(*mut OrtKernelContext, usize, *const i64, usize, *mut *mut OrtValue) -> Status;
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "kernels for GPUs ask for it"))]
    gpu_stream: KERNEL_CONTEXT_GET_GPU_COMPUTE_STREAM(*const OrtKernelContext, *mut *mut c_void) -> Status;
    infer_num_inputs: SHAPE_INFER_CONTEXT_GET_INPUT_COUNT(*const OrtShapeInferContext, *mut usize) -> Status;
    infer_input:
        SHAPE_INFER_CONTEXT_GET_INPUT_TYPE_SHAPE(*const OrtShapeInferContext, usize, *mut *mut Info) -> Status;
    infer_attr:
        SHAPE_INFER_CONTEXT_GET_ATTRIBUTE(*const OrtShapeInferContext, *const c_char, *mut *const OrtOpAttr) -> Status;
    infer_output:
        SHAPE_INFER_CONTEXT_SET_OUTPUT_TYPE_SHAPE(*const OrtShapeInferContext, usize, *const Info) -> Status;
    read_attr: READ_OP_ATTR(*const OrtOpAttr, c_int, *mut c_void, usize, *mut usize) -> Status;
}

static ORT: OnceLock<Ort> = OnceLock::new();

/// Takes the functions of the process's ONNX Runtime.
///
/// # Safety
/// The base is null or that of ONNX Runtime.
pub(crate) unsafe fn take(base: *const OrtApiBase) -> Option<&'static Ort> {
    // SAFETY: the contract of this function.
    let base = unsafe { base.as_ref() }?;
    let get = base.get_api?;
    // SAFETY: a table is of the version that was asked for, or null.
    let api = unsafe { get(ORT_API_VERSION).as_ref() }?;
    Some(ORT.get_or_init(|| {
        // SAFETY: the table is of the version whose positions these are.
        let mut ort = unsafe { Ort::of(api) };
        // SAFETY: the contract of this function. A version that the host has not is not asked for: it would say so on
        // standard error.
        unsafe {
            if minor_version(base) >= ORT_API_VERSION_24
                && let Some(api) = get(ORT_API_VERSION_24).cast::<OrtApi24>().as_ref()
            {
                let function = api.functions[function::GET_TENSOR_ELEMENT_TYPE_AND_SHAPE_DATA_REFERENCE];
                ort.type_and_shape = std::mem::transmute::<*const c_void, Option<TypeAndShape>>(function);
            }
        }
        ort
    }))
}

/// `y` of the host's version `1.y.z`; 0 where it is written in another way.
///
/// # Safety
/// The base is that of ONNX Runtime.
unsafe fn minor_version(base: &OrtApiBase) -> u32 {
    // SAFETY: the text is terminated, and lives as long as the process.
    let text = base.get_version_string.map(|get| unsafe { CStr::from_ptr(get()) }.to_string_lossy());
    let minor = text.as_ref().and_then(|text| text.strip_prefix("1.")?.split('.').next()?.parse().ok());
    minor.unwrap_or(0)
}

/// The functions, once a session has been made with the plugin.
pub(crate) fn ort() -> Option<&'static Ort> {
    ORT.get()
}

impl Ort {
    /// An error where a status has one; the status is freed.
    ///
    /// # Safety
    /// The status is null, or the caller's to free.
    #[inline]
    pub(crate) unsafe fn check(&self, status: Status) -> Result<()> {
        // SAFETY: the contract of this function.
        if status.is_null() { Ok(()) } else { Err(unsafe { self.error(status) }) }
    }

    /// The error of a status that is not null.
    ///
    /// # Safety
    /// As [`check`](Self::check).
    #[cold]
    unsafe fn error(&self, status: Status) -> Error {
        // SAFETY: the contract of this function; the message is terminated.
        unsafe {
            let message = CStr::from_ptr((self.get_error_message)(status)).to_string_lossy().into_owned();
            (self.release_status)(status);
            Error::internal(message)
        }
    }

    /// A status that has the outcome.
    pub(crate) fn status(&self, result: Result<()>) -> Status {
        let Err(error) = result else { return ptr::null_mut() };
        let message = CString::new(error.to_string().replace('\0', "?")).unwrap_or_default();
        let code = match error.code() {
            Code::InvalidArgument | Code::OutOfRange => error_code::INVALID_ARGUMENT,
            Code::Unimplemented => error_code::NOT_IMPLEMENTED,
            _ => error_code::FAIL,
        };
        // SAFETY: the message is terminated, and copied.
        unsafe { (self.create_status)(code, message.as_ptr()) }
    }
}
