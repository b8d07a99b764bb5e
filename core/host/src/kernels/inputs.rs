//! The inputs of a run.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::mem::offset_of;

use oplink_abi::{TF_DataType, TF_InputRange_Args, TF_OpKernelContext, TF_Status, TF_Tensor};
use oplink_api::resource::Variable;
use oplink_api::{DType, Error, NodeInfo, ResourceHandle, Result, Tensor};

use super::context::{Context, of_run, of_run_mut};
use crate::guard::{borrow_mut, text, with_status, without_status};
use crate::tensor::into_handle;

/// A handle to the value of an input: what a reference refers to, else the input itself.
#[inline]
fn value(run: &mut Context, index: c_int) -> Result<*mut TF_Tensor> {
    let (at, tensor) = run.input(index)?;
    if tensor.dtype() == DType::Resource && run.node().is_ref_input(at) {
        return Ok(into_handle(variable_of(tensor)?.read()?));
    }
    run.lend_input(index)
}

/// The variable that a handle refers to.
///
/// # Errors
/// The tensor holds no handle, or one of something else.
pub(super) fn variable_of(tensor: &Tensor) -> Result<std::sync::Arc<Variable>> {
    let handle = tensor.as_slice::<ResourceHandle>()?.first();
    handle.ok_or_else(|| Error::invalid_argument("the input holds no handle of a variable"))?.get()
}

/// The number of inputs; 0 for null.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NumInputs(context: *mut TF_OpKernelContext) -> c_int {
    // SAFETY: `context` is null or alive (Safety section).
    let run = unsafe { of_run(context, "TF_NumInputs") };
    run.map_or(0, |run| c_int::try_from(run.inputs().len()).unwrap_or(c_int::MAX))
}

/// A handle to an input, which the caller deletes. An input that is a reference is given as the value behind it.
///
/// # Safety
/// The context is null or that of the run that goes on; `tensor` is null or writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetInput(
    context: *mut TF_OpKernelContext,
    i: c_int,
    tensor: *mut *mut TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetInput";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `tensor` is null or a slot (Safety section).
        let (run, tensor) = unsafe { (of_run_mut(context, NAME)?, borrow_mut(tensor, NAME, "tensor")?) };
        *tensor = value(run, i)?;
        Ok(())
    });
}

/// As [`TF_GetInput`], for the declared input of this name, which is a single tensor.
///
/// # Safety
/// As [`TF_GetInput`]; the name is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetInputByName(
    context: *mut TF_OpKernelContext,
    name: *const c_char,
    tensor: *mut *mut TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetInputByName";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `tensor` is null or a slot (Safety section).
        let (run, tensor) = unsafe { (of_run_mut(context, NAME)?, borrow_mut(tensor, NAME, "tensor")?) };
        // SAFETY: `name` is null or a terminated string (Safety section).
        let name = unsafe { text(name, NAME, "inputName") }?;
        let (start, stop) = range(run.node(), name)?;
        if stop != start + 1 {
            let message = format!("input `{name}` of op {} is a list of tensors", run.node().op.name);
            return Err(Error::invalid_argument(message));
        }
        *tensor = value(run, start)?;
        Ok(())
    });
}

/// The flat positions of a declared input.
fn range(node: &NodeInfo, name: &str) -> Result<(c_int, c_int)> {
    let found = node.input_arg(name).and_then(|arg| node.input_ranges.get(arg));
    let range = found.ok_or_else(|| Error::invalid_argument(format!("op {} has no input `{name}`", node.op.name)))?;
    let position = |at: usize| c_int::try_from(at).map_err(|_| Error::out_of_range("too many inputs"));
    Ok((position(range.start)?, position(range.end)?))
}

/// Tells the flat positions of a declared input; both are -1 where there is none, which the status in the arguments
/// says.
///
/// # Safety
/// The context is null or that of the run that goes on; the name is null or terminated; the arguments are null or
/// alive, as many bytes as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_InputRange(
    context: *mut TF_OpKernelContext,
    name: *const c_char,
    args: *mut TF_InputRange_Args,
) {
    const NAME: &str = "TF_InputRange";
    let needed = offset_of!(TF_InputRange_Args, status) + size_of::<*mut TF_Status>();
    // SAFETY: `args` is null or alive (Safety section).
    let args = match unsafe { args.as_mut() } {
        Some(args) if args.struct_size >= needed => args,
        _ => return,
    };
    (args.start, args.stop) = with_status(args.status, NAME, (-1, -1), || {
        // SAFETY: `context` is null or alive and `name` is null or a terminated string (Safety section).
        let (run, name) = unsafe { (of_run(context, NAME)?, text(name, NAME, "name")?) };
        range(run.node(), name)
    });
}

/// The dtype of an input; 0 where there is none.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_InputDatatype(context: *mut TF_OpKernelContext, index: c_int) -> TF_DataType {
    without_status(0, || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, "TF_InputDatatype") };
        let dtype = run.ok().and_then(|run| run.node().input_dtypes.get(usize::try_from(index).ok()?));
        dtype.map_or(0, |dtype| dtype.number())
    })
}

/// Whether an input is in the host's memory: the kernel declared it so, or its elements live nowhere else.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_IsHostMemoryInput(
    context: *mut TF_OpKernelContext,
    i: c_int,
    status: *mut TF_Status,
) -> bool {
    const NAME: &str = "TF_IsHostMemoryInput";
    with_status(status, NAME, false, || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let (at, tensor) = run.input(i)?;
        let node = run.node();
        let arg = node.input_ranges.iter().position(|range| range.contains(&at));
        let name = arg.and_then(|arg| node.op.inputs.get(arg)).map(|arg| arg.name.as_str());
        Ok(run.is_in_host_memory(name, tensor.dtype()))
    })
}

/// Whether an input is declared as a reference.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_IsRefInput(context: *mut TF_OpKernelContext, i: c_int, status: *mut TF_Status) -> bool {
    const NAME: &str = "TF_IsRefInput";
    with_status(status, NAME, false, || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let (at, _) = run.input(i)?;
        Ok(run.node().is_ref_input(at))
    })
}
