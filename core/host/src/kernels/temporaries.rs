//! Memory for a run's own use.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_AllocatorAttributes, TF_DataType, TF_OpKernelContext, TF_Status, TF_Tensor};

use super::context::of_run;
use crate::guard::with_status;
use crate::tensor::{self, into_handle};

/// A new tensor, whose handle the caller deletes; null where that fails. All memory is the host's, whatever the
/// attributes ask for.
///
/// # Safety
/// The context is null or that of the run that goes on; `dims` holds `num_dims` numbers; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AllocateTemp(
    context: *mut TF_OpKernelContext,
    number: TF_DataType,
    dims: *const i64,
    num_dims: c_int,
    _attributes: *mut TF_AllocatorAttributes,
    status: *mut TF_Status,
) -> *mut TF_Tensor {
    const NAME: &str = "TF_AllocateTemp";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        let (run, shape) = unsafe { (of_run(context, NAME)?, tensor::shape(dims, num_dims, NAME)?) };
        Ok(into_handle(run.allocate(tensor::dtype(number)?, shape)?))
    })
}
