//! Variables as kernels of plugins read and change them.
//!
//! A variable's value is changed in place where nobody else holds it, and in a copy otherwise, so that the functions by
//! which plugins copy tensors are not needed.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::sync::Arc;

use oplink_abi::{
    TF_DataType, TF_OpKernelContext, TF_Status, TF_StringView, TF_Tensor, VariableCopyFn, VariableUpdateFn,
};
use oplink_api::resource::{Variable, VariableGuard};
use oplink_api::{DType, DefaultEnv, Error, KernelEnv, PartialShape, ResourceHandle, Result, Tensor, bail};

use super::context::{Context, of_run, of_run_mut};
use super::inputs::variable_of;
use crate::guard::{borrow_mut, with_status, without_status};
use crate::tensor::{TF_DeleteTensor, into_handle};

/// Runs `body` on a variable's guard: the one that the run holds, or one of its own.
fn with_guard<T>(
    run: &Context,
    variable: &Arc<Variable>,
    body: impl Fn(&mut VariableGuard<'_>) -> Result<T>,
) -> Result<T> {
    let held = run.locks.as_ref().and_then(|locks| locks.with(variable, &body));
    held.unwrap_or_else(|| body(&mut variable.lock()))
}

/// The value in memory that nobody else sees, so that the plugin may write it.
fn writable(run: &Context, guard: &mut VariableGuard<'_>) -> Result<Tensor> {
    let env: &dyn KernelEnv = run.env().unwrap_or(&DefaultEnv);
    Ok(guard.value_mut(env)?.clone())
}

fn check_shape(known: &PartialShape, value: &Tensor, validate: bool) -> Result<()> {
    if validate && !known.accepts(value.shape()) {
        bail!("a variable of shape {known} cannot take a value of shape {}", value.shape());
    }
    Ok(())
}

/// Assigns the input at `value_index` to the variable at `input_index`, which is made where there is none yet.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AssignVariable(
    context: *mut TF_OpKernelContext,
    input_index: c_int,
    value_index: c_int,
    validate_shape: bool,
    _copy: VariableCopyFn,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_AssignVariable";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let value = run.input(value_index)?.1.clone();
        let handle = run.input(input_index)?.1.as_slice::<ResourceHandle>()?.first();
        let handle = handle.ok_or_else(|| Error::invalid_argument("the input holds no handle of a variable"))?;
        let make = || Ok(Variable::new(value.dtype(), value.shape().into()));
        let variable = handle.get_or_create(make)?;
        check_shape(variable.shape(), &value, validate_shape)?;
        with_guard(run, &variable, |guard| guard.replace(value.clone()).map(drop))
    });
}

/// Assigns the input at `value_index` to the variable that the reference at `input_ref_index` refers to, and hands the
/// reference on to an output.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AssignRefVariable(
    context: *mut TF_OpKernelContext,
    input_ref_index: c_int,
    output_ref_index: c_int,
    value_index: c_int,
    _use_locking: bool,
    validate_shape: bool,
    _copy: VariableCopyFn,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_AssignRefVariable";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, NAME) }?;
        let (value, reference) = (run.input(value_index)?.1.clone(), run.input(input_ref_index)?.1.clone());
        let (output, _) = run.output(output_ref_index)?;
        let variable = variable_of(&reference)?;
        check_shape(variable.shape(), &value, validate_shape)?;
        with_guard(run, &variable, |guard| guard.replace(value.clone()).map(drop))?;
        run.set_output(output, reference);
        Ok(())
    });
}

/// Changes a variable by the plugin's function: it gets the value in place, the input at `value_index`, and
/// `operation`.
///
/// # Safety
/// The context is null or that of the run that goes on; the function may be called with it; the status is null or
/// alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AssignUpdateVariable(
    context: *mut TF_OpKernelContext,
    input_index: c_int,
    value_index: c_int,
    operation: c_int,
    is_variant: c_int,
    _copy: VariableCopyFn,
    update: VariableUpdateFn,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_AssignUpdateVariable";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run(context, NAME) }?;
        let Some(update) = update else { bail!("{NAME}: `updateFunc` is null") };
        let (operand, variable) = (run.input(value_index)?.1.clone(), variable_of(run.input(input_index)?.1)?);
        if is_variant != 0 || variable.dtype() == DType::Variant {
            return Err(Error::unimplemented(format!("{NAME}: variables of variants are not updated by plugins")));
        }
        with_guard(run, &variable, |guard| {
            let value = writable(run, guard)?;
            if value.shape() != operand.shape() {
                bail!("a variable of shape {} is updated by a value of shape {}", value.shape(), operand.shape());
            }
            let (value, operand) = (into_handle(value), into_handle(operand.clone()));
            // SAFETY: the plugin's function; the handles live during the call and are deleted once.
            unsafe {
                update(context, value, operand, operation);
                TF_DeleteTensor(value);
                TF_DeleteTensor(operand);
            }
            Ok(())
        })
    });
}

/// A handle to the value of a variable, in memory that no earlier reader sees; the plugin may write it in place. The
/// caller deletes the handle.
///
/// # Safety
/// The context is null or that of the run that goes on; `out` is null or writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetInputTensorFromVariable(
    context: *mut TF_OpKernelContext,
    input: c_int,
    _lock_held: bool,
    _is_variant: bool,
    _sparse: bool,
    _copy: VariableCopyFn,
    out: *mut *mut TF_Tensor,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_GetInputTensorFromVariable";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `out` is null or a slot (Safety section).
        let (run, out) = unsafe { (of_run(context, NAME)?, borrow_mut(out, NAME, "out")?) };
        let variable = variable_of(run.input(input)?.1)?;
        *out = into_handle(with_guard(run, &variable, |guard| writable(run, guard))?);
        Ok(())
    });
}

/// Forwards a reference from an input to an output; positions that do not exist change nothing.
///
/// # Safety
/// The context is null or that of the run that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelContext_ForwardRefInputToRefOutput(
    context: *mut TF_OpKernelContext,
    input_index: i32,
    output_index: i32,
) {
    without_status((), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, "TF_OpKernelContext_ForwardRefInputToRefOutput") };
        if let Ok(run) = run
            && let (Ok((_, reference)), Ok((output, _))) = (run.input(input_index), run.output(output_index))
        {
            let reference = reference.clone();
            run.set_output(output, reference);
        }
    });
}

fn refuse(status: *mut TF_Status, function: &str, what: &str) {
    with_status(status, function, (), || Err(Error::unimplemented(format!("{function}: plugins cannot {what}"))));
}

/// What makes the memory of a temporary variable.
type AllocateFn = Option<
    unsafe extern "C" fn(*mut TF_OpKernelContext, *mut TF_Tensor, TF_DataType, *const i64, c_int, *mut TF_Status),
>;
/// What adds two variants.
type AddFn = Option<unsafe extern "C" fn(*mut TF_OpKernelContext, *mut TF_Tensor, *mut TF_Tensor, *mut TF_Tensor)>;

/// Refuses: temporary variables are the runtime's own.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TemporaryVariable(
    _: *mut TF_OpKernelContext,
    _: TF_DataType,
    _: *const i64,
    _: c_int,
    _: *mut TF_StringView,
    _: AllocateFn,
    status: *mut TF_Status,
) {
    refuse(status, "TF_TemporaryVariable", "make temporary variables");
}

/// Refuses: temporary variables are the runtime's own.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DestroyTemporaryVariable(
    _: *mut TF_OpKernelContext,
    _: c_int,
    _: *mut TF_StringView,
    status: *mut TF_Status,
) {
    refuse(status, "TF_DestroyTemporaryVariable", "end temporary variables");
}

/// Refuses: variants are added by the runtime.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddNVariant(_: *mut TF_OpKernelContext, _: AddFn, status: *mut TF_Status) {
    refuse(status, "TF_AddNVariant", "add variants");
}

/// Refuses: zeros of variants are made by the runtime.
///
/// # Safety
/// The status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ZerosLikeVariant(_: *mut TF_OpKernelContext, _: VariableCopyFn, status: *mut TF_Status) {
    refuse(status, "TF_ZerosLikeVariant", "make zeros of variants");
}
