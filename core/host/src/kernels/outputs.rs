//! The outputs of a run.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_DataType, TF_OpKernelContext, TF_Status, TF_Tensor};
use oplink_api::{DType, Error, Result, Shape, Tensor};

use super::context::{Context, of_run, of_run_mut};
use crate::guard::{slice, with_status, without_status};
use crate::tensor::{self, from_handle};

/// The number of outputs; 0 for null.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NumOutputs(context: *mut TF_OpKernelContext) -> c_int {
    // SAFETY: `context` is null or alive (Safety section).
    let run = unsafe { of_run(context, "TF_NumOutputs") };
    run.map_or(0, |run| c_int::try_from(run.node().output_dtypes.len()).unwrap_or(c_int::MAX))
}

#[cold]
fn wrong_dtype(at: usize, declared: DType, given: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("output {at} is of {declared}, a tensor of {given} is given"))
}

/// Sets an output to a tensor, which stays the caller's.
///
/// # Safety
/// The context is null or that of the run that goes on; tensor and status are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetOutput(
    context: *mut TF_OpKernelContext,
    i: c_int,
    tensor: *const TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_SetOutput";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, NAME) }?;
        let (at, dtype) = run.output(i)?;
        // SAFETY: `tensor` is null or alive (Safety section).
        let tensor = unsafe { from_handle(tensor, NAME, "tensor") }?;
        if tensor.dtype() != dtype {
            return Err(wrong_dtype(at, dtype, tensor.dtype()));
        }
        run.set_output(at, tensor.clone());
        Ok(())
    });
}

/// A handle to an output that is set; null where it is not.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetMutableOutput(
    context: *mut TF_OpKernelContext,
    i: c_int,
    status: *mut TF_Status,
) -> *mut TF_Tensor {
    const NAME: &str = "TF_GetMutableOutput";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, NAME) }?;
        let (at, _) = run.output(i)?;
        Ok(run.lend_output(at))
    })
}

/// The dtype of an output; 0 where there is none.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ExpectedOutputDataType(context: *mut TF_OpKernelContext, i: c_int) -> TF_DataType {
    without_status(0, || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, "TF_ExpectedOutputDataType") };
        run.and_then(|run| run.output(i)).map_or(0, |(_, dtype)| dtype.number())
    })
}

/// Whether an output is in the host's memory: the kernel declared it so, or its elements live nowhere else.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_IsHostMemoryOutput(
    context: *mut TF_OpKernelContext,
    i: c_int,
    status: *mut TF_Status,
) -> bool {
    const NAME: &str = "TF_IsHostMemoryOutput";
    with_status(status, NAME, false, || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let (at, dtype) = run.output(i)?;
        Ok(run.is_output_in_host_memory(at, dtype))
    })
}

/// Sets an output to a new tensor of this shape and gives a handle to it, which the caller deletes; null where that
/// fails. It is in the memory of the node's device, or in the host's where the kernel declared the output so. The dtype
/// must be the output's. The length of the elements follows from dtype and shape.
///
/// # Safety
/// The context is null or that of the run that goes on; `dims` holds `num_dims` numbers; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AllocateOutput(
    context: *mut TF_OpKernelContext,
    index: c_int,
    number: TF_DataType,
    dims: *const i64,
    num_dims: c_int,
    _len: usize,
    status: *mut TF_Status,
) -> *mut TF_Tensor {
    const NAME: &str = "TF_AllocateOutput";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, NAME) }?;
        let (at, dtype) = run.output(index)?;
        if number != dtype.number() {
            let given = DType::from_number(number).map_or_else(|| format!("no dtype ({number})"), |d| d.to_string());
            return Err(wrong_dtype(at, dtype, given));
        }
        // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
        let shape = unsafe { tensor::shape(dims, num_dims, NAME) }?;
        allocate_output(run, at, dtype, shape)
    })
}

#[inline]
fn allocate_output(run: &mut Context, at: usize, dtype: DType, shape: Shape) -> Result<*mut TF_Tensor> {
    run.allocate_output(at, dtype, shape)?;
    Ok(run.lend_output(at))
}

/// Sets an output to the memory of one of the inputs that nobody else holds, of the output's dtype and as many
/// elements, or to a new tensor; gives a handle to it, which the caller deletes, and tells which input it was, or -1.
///
/// # Safety
/// The context is null or that of the run that goes on; the arrays hold as many numbers as told; `forwarded_input` is
/// null or writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ForwardInputOrAllocateOutput(
    context: *mut TF_OpKernelContext,
    candidate_input_indices: *const c_int,
    num_candidate_input_indices: c_int,
    output_index: c_int,
    output_dims: *const i64,
    output_num_dims: c_int,
    forwarded_input: *mut c_int,
    status: *mut TF_Status,
) -> *mut TF_Tensor {
    const NAME: &str = "TF_ForwardInputOrAllocateOutput";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, NAME) }?;
        let (at, dtype) = run.output(output_index)?;
        // SAFETY: `candidate_input_indices` is null or has `num_candidate_input_indices` elements and `output_dims` is
        // null or can be read (Safety section).
        let (candidates, shape) = unsafe {
            let candidates =
                slice(candidate_input_indices, num_candidate_input_indices, NAME, "candidate_input_indices");
            (candidates?, tensor::shape(output_dims, output_num_dims, NAME)?)
        };
        for &candidate in candidates {
            run.input(candidate)?;
        }
        let found = candidates.iter().find_map(|&candidate| taken(run, candidate, at, dtype, &shape));
        if !forwarded_input.is_null() {
            // SAFETY: not null, writable by contract.
            unsafe { forwarded_input.write(found.as_ref().map_or(-1, |(input, _)| *input as c_int)) }
        }
        let Some((input, tensor)) = found else { return allocate_output(run, at, dtype, shape) };
        run.forward(input);
        run.set_output(at, tensor);
        Ok(run.lend_output(at))
    })
}

/// The memory of an input for an output, where nobody else holds it, it fits, and it is where the output belongs.
fn taken(run: &Context, candidate: c_int, output: usize, dtype: DType, shape: &Shape) -> Option<(usize, Tensor)> {
    let (at, input) = run.input(candidate).ok()?;
    let fits = input.dtype() == dtype
        && dtype == *run.node().input_dtypes.get(at)?
        && input.num_elements() == shape.num_elements()
        && input.is_unique()
        && !run.lends(input)
        && input.is_on_device() == run.is_output_on_device(output, dtype);
    if fits { Some((at, input.clone().with_shape(shape.clone()).ok()?)) } else { None }
}
