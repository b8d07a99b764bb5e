//! What a plugin's ops and kernels are made of.

use std::ffi::{c_int, c_void};

use crate::{
    TF_AsyncOpKernelDoneCallback, TF_Bool, TF_OpKernelConstruction, TF_OpKernelContext, TF_ShapeInferenceContext,
    TF_Status, TF_Tensor,
};

/// Makes a kernel object for a node. Null is a kernel without state; a failure is reported through the construction.
pub type CreateFn = Option<unsafe extern "C" fn(*mut TF_OpKernelConstruction) -> *mut c_void>;
/// Computes a node's outputs.
pub type ComputeFn = Option<unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext)>;
/// Starts to compute a node's outputs; calls the callback when they are there.
pub type ComputeAsyncFn =
    Option<unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext, *mut TF_AsyncOpKernelDoneCallback)>;
/// Frees a kernel object.
pub type DeleteFn = Option<unsafe extern "C" fn(*mut c_void)>;
/// Infers the shapes of an op's outputs.
pub type ShapeInferenceFn = Option<unsafe extern "C" fn(*mut TF_ShapeInferenceContext, *mut TF_Status)>;
/// Copies a variable's value: source, then destination.
pub type VariableCopyFn = Option<unsafe extern "C" fn(*mut TF_OpKernelContext, *mut TF_Tensor, *mut TF_Tensor)>;
/// Changes a variable's value in place: the value, the operand, and which operation.
pub type VariableUpdateFn =
    Option<unsafe extern "C" fn(*mut TF_OpKernelContext, *mut TF_Tensor, *mut TF_Tensor, c_int)>;

/// Where memory shall be.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_AllocatorAttributes {
    /// Bytes of this struct that the caller knows.
    pub struct_size: usize,
    /// 1 for the host's memory, 0 for the device's.
    pub on_host: TF_Bool,
}

/// What is asked and told of the flat positions of an input.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_InputRange_Args {
    /// Bytes of this struct that the caller knows.
    pub struct_size: usize,
    /// For extensions; unused.
    pub private: *mut c_void,
    /// Told: the first position.
    pub start: c_int,
    /// Told: the position after the last.
    pub stop: c_int,
    /// Told: whether there is such an input.
    pub status: *mut TF_Status,
}

const _: () = assert!(size_of::<TF_InputRange_Args>() == 32 && size_of::<TF_AllocatorAttributes>() == 16);
