//! Functions: parameters, the end of tracing, making them known to a context.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{TF_AbstractFunction, TF_AbstractTensor, TF_DataType, TF_ExecutionContext, TF_OutputList, TF_Shape};
use oplink_api::{Output, Result};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete};
use oplink_host::status;
use oplink_host::tensor::dtype;
use oplink_proto::{FunctionDef, to_bytes};

use super::context::{ExecutionContext, TF_DeleteExecutionContext};
use super::outputs::OutputList;
use super::tensor::AbstractTensor;
use crate::eager::functions::TFE_ContextAddFunctionDef;
use crate::support::partial_shape;

/// What a `TF_AbstractFunction` is here.
#[derive(Debug)]
struct AbstractFunction(FunctionDef);

c_api! {
    /// Adds a parameter to the function that a context traces; the client deletes the tensor.
    ///
    /// # Safety
    /// The handles are null or alive; the shape has as many dims as it says.
    fn TF_AddFunctionParameter(
        context: *mut TF_ExecutionContext => { ExecutionContext::borrow(context, NAME) },
        data_type: TF_DataType,
        shape: TF_Shape;
        status
    ) -> (*mut TF_AbstractTensor = ptr::null_mut()) {
        let trace = context.trace(NAME)?;
        // SAFETY: the dims are null or as many as the rank (Safety section).
        let shape = unsafe { partial_shape(shape.dim_sizes, shape.num_dims, NAME) }?;
        let parameter = trace.lock().parameter(dtype(data_type)?, shape)?;
        Ok(AbstractTensor::Traced(trace.clone(), parameter).into_handle())
    }

    /// The function that returns these tensors. A context that traces is freed, also where this fails; an eager one
    /// stays.
    ///
    /// # Safety
    /// The handles are null or alive; a context that traces is not used afterwards.
    fn TF_FinalizeFunction(
        context: *mut TF_ExecutionContext,
        outputs as list: *mut TF_OutputList => { OutputList::borrow_mut(outputs, NAME) };
        status
    ) -> (*mut TF_AbstractFunction = ptr::null_mut()) {
        // SAFETY: `context` is null or alive (Safety section).
        let trace = unsafe { ExecutionContext::borrow(context, NAME) }?.trace(NAME)?.clone();
        // SAFETY: the client gives the context up.
        unsafe { TF_DeleteExecutionContext(context) };
        // SAFETY: each tensor is null or alive (Safety section).
        let tensors = list.tensors.iter().map(|&tensor| unsafe { AbstractTensor::borrow(tensor, NAME, "outputs") });
        let outputs: Vec<Output> = tensors.map(|tensor| tensor?.traced(&trace, NAME)).collect::<Result<_>>()?;
        let function = trace.lock().finish(&outputs)?;
        Ok(Box::into_raw(Box::new(AbstractFunction(function))).cast())
    }
}

/// Frees a function; null is allowed. Contexts that know it keep it.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteAbstractFunction(function: *mut TF_AbstractFunction) {
    // SAFETY: `function` is null or a box that this library made and that the caller gives up.
    unsafe { delete(function.cast::<AbstractFunction>()) }
}

c_api! {
    /// Lets ops of a context name a function as their type.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_ExecutionContextRegisterFunction(
        context: *mut TF_ExecutionContext => { ExecutionContext::borrow(context, NAME) },
        function: *mut TF_AbstractFunction => { borrow(function.cast::<AbstractFunction>(), NAME, "function") };
        status
    ) {
        match context {
            ExecutionContext::Tracing(trace) => trace.lock().add_function(&function.0),
            ExecutionContext::Eager(context) => {
                let bytes = to_bytes(&function.0);
                // SAFETY: the context is alive and the bytes are as many as told.
                status::functions().call(|status| unsafe {
                    TFE_ContextAddFunctionDef(context.as_ptr(), bytes.as_ptr().cast(), bytes.len(), status);
                })
            }
        }
    }
}
