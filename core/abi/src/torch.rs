//! The types of PyTorch's stable C ABI (`torch/csrc/stable/c/shim.h`, `torch/csrc/inductor/aoti_torch/c/shim.h`).

/// A value on the stack of a boxed kernel: a number in its low bytes, or a handle.
pub type StableIValue = u64;

/// 0 where a call succeeded.
pub type AOTITorchError = i32;

/// A tensor behind a handle.
#[repr(C)]
#[derive(Debug)]
pub struct AtenTensorOpaque {
    _private: [u8; 0],
}

/// A list of [`StableIValue`]s behind a handle.
#[repr(C)]
#[derive(Debug)]
pub struct StableListOpaque {
    _private: [u8; 0],
}

/// A string behind a handle.
#[repr(C)]
#[derive(Debug)]
pub struct StringOpaque {
    _private: [u8; 0],
}

/// A library of ops behind a handle.
#[repr(C)]
#[derive(Debug)]
pub struct TorchLibraryOpaque {
    _private: [u8; 0],
}

/// A boxed kernel: takes its inputs off the stack, and leaves its outputs there. Exceptions of C++ pass through it.
pub type BoxedKernelFn = unsafe extern "C-unwind" fn(*mut StableIValue, u64, u64);

/// The body of a parallel loop.
pub type ParallelFunc = unsafe extern "C" fn(i64, i64, *mut std::ffi::c_void);

/// The release of which the conventions of the stack are used here: 2.10.
pub const TORCH_ABI_VERSION: u64 = (2 << 56) | (10 << 48);

/// The device type of host memory.
pub const DEVICE_TYPE_CPU: i32 = 0;

/// The device type of GPUs of CUDA.
pub const DEVICE_TYPE_CUDA: i32 = 1;

/// The layout of tensors with strides.
pub const LAYOUT_STRIDED: i32 = 0;

/// Numbers of dtypes.
#[allow(missing_docs, reason = "the names are the dtypes'")]
pub mod dtype {
    pub const UINT8: i32 = 0;
    pub const INT8: i32 = 1;
    pub const INT16: i32 = 2;
    pub const INT32: i32 = 3;
    pub const INT64: i32 = 4;
    pub const FLOAT16: i32 = 5;
    pub const FLOAT32: i32 = 6;
    pub const FLOAT64: i32 = 7;
    pub const COMPLEX64: i32 = 9;
    pub const COMPLEX128: i32 = 10;
    pub const BOOL: i32 = 11;
    pub const BFLOAT16: i32 = 15;
    pub const FLOAT8_E5M2: i32 = 23;
    pub const FLOAT8_E4M3FN: i32 = 24;
    pub const FLOAT8_E5M2FNUZ: i32 = 25;
    pub const FLOAT8_E4M3FNUZ: i32 = 26;
    pub const UINT16: i32 = 27;
    pub const UINT32: i32 = 28;
    pub const UINT64: i32 = 29;
}
