//! Memory for a run's own use.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::mem::offset_of;
use std::ptr;

use oplink_abi::{TF_AllocatorAttributes, TF_Bool, TF_DataType, TF_OpKernelContext, TF_Status, TF_Tensor};

use super::context::of_run;
use crate::guard::with_status;
use crate::tensor::{self, into_handle};

/// A new tensor, whose handle the caller deletes; null where that fails. It is in the memory of the node's device, or
/// in the host's where the attributes ask for that, the elements are objects of the host, or the device has no memory
/// of its own.
///
/// # Safety
/// The context is null or that of the run that goes on; `dims` holds `num_dims` numbers; the attributes are null or
/// alive, as many bytes as they say; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AllocateTemp(
    context: *mut TF_OpKernelContext,
    number: TF_DataType,
    dims: *const i64,
    num_dims: c_int,
    attributes: *mut TF_AllocatorAttributes,
    status: *mut TF_Status,
) -> *mut TF_Tensor {
    const NAME: &str = "TF_AllocateTemp";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive and `dims` is null or has `num_dims` elements (Safety section).
        let (run, shape) = unsafe { (of_run(context, NAME)?, tensor::shape(dims, num_dims, NAME)?) };
        let dtype = tensor::dtype(number)?;
        // SAFETY: `attributes` is null or alive (Safety section).
        let device = if unsafe { asks_for_host(attributes) } { None } else { run.device() };
        Ok(into_handle(match device {
            Some(device) if dtype.size().is_some() => device.allocate_for(&run.node().name, dtype, shape)?,
            _ => run.allocate(dtype, shape)?,
        }))
    })
}

/// # Safety
/// Null, or alive and as many bytes as they say.
unsafe fn asks_for_host(attributes: *const TF_AllocatorAttributes) -> bool {
    let needed = offset_of!(TF_AllocatorAttributes, on_host) + size_of::<TF_Bool>();
    // SAFETY: `attributes` is null or alive (Safety section).
    unsafe { attributes.as_ref() }.is_some_and(|attributes| attributes.struct_size >= needed && attributes.on_host != 0)
}
