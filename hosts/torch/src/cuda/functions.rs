//! libtorch's C functions for tensors of GPUs, looked up at the first call with one: a PyTorch for the CPU has not all.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;

use oplink_abi::torch::{AOTITorchError, AtenTensorOpaque};
use oplink_api::{Error, Result};

use crate::functions::{check, find};

type Tensor = *mut AtenTensorOpaque;

/// The functions.
pub(super) struct Cuda {
    pub(super) get_device_index: unsafe extern "C" fn(Tensor, *mut i32) -> AOTITorchError,
    pub(super) copy: unsafe extern "C" fn(Tensor, Tensor, i32) -> AOTITorchError,
    get_current_stream: unsafe extern "C" fn(i32, *mut *mut c_void) -> AOTITorchError,
}

impl Cuda {
    fn find() -> Option<Self> {
        let (index, copy) = (find(c"aoti_torch_get_device_index"), find(c"aoti_torch_copy_"));
        let stream = find(c"aoti_torch_get_current_cuda_stream");
        if index.is_null() || copy.is_null() || stream.is_null() {
            return None;
        }
        // SAFETY: not null; the functions of these names have these signatures.
        unsafe {
            Some(Self {
                get_device_index: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(Tensor, *mut i32) -> AOTITorchError,
                >(index),
                copy: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Tensor, Tensor, i32) -> AOTITorchError>(
                    copy,
                ),
                get_current_stream: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(i32, *mut *mut c_void) -> AOTITorchError,
                >(stream),
            })
        }
    }

    /// The current stream of a GPU: a `CUstream`, null for the default one.
    pub(super) fn stream(&self, device: i32) -> Result<*mut c_void> {
        let mut stream = ptr::null_mut();
        // SAFETY: the place is written to.
        check(unsafe { (self.get_current_stream)(device, &raw mut stream) }, "the current stream")?;
        Ok(stream)
    }
}

/// The functions of the process's PyTorch.
///
/// # Errors
/// It is one for the CPU.
pub(super) fn cuda() -> Result<&'static Cuda> {
    static CUDA: OnceLock<Option<Cuda>> = OnceLock::new();
    CUDA.get_or_init(Cuda::find).as_ref().ok_or_else(|| {
        Error::unimplemented("this PyTorch has no functions for tensors of CUDA: it was built for the CPU")
    })
}
