//! `VarIsInitializedOp` and `IsVariableInitialized`: whether a variable has a value.
//!
//! A scalar of bool; false for a resource variable that does not exist.

use oplink::Variable;
use oplink::prelude::*;

/// Whether a resource variable has a value.
#[op("VarIsInitializedOp",
     no_gradient,
     input = "resource: resource",
     output = "is_initialized: bool",
     stateful,
     shape = shape_fns::scalar)]
pub struct VarIsInitializedOp;

/// Whether the variable behind a reference has a value.
#[op("IsVariableInitialized",
     no_gradient,
     input = "ref: Ref(dtype)",
     output = "is_initialized: bool",
     attr = "dtype: type",
     allows_uninitialized_input,
     shape = shape_fns::scalar)]
pub struct IsVariableInitialized;

/// `VarIsInitializedOp`.
#[kernel(VarIsInitializedOp, device = CPU)]
pub fn var_is_initialized_op_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set(context)
}

/// `IsVariableInitialized` of every dtype.
#[kernel(IsVariableInitialized, device = CPU, dtype = any)]
pub fn is_variable_initialized_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set(context)
}

fn set(context: &mut KernelContext<'_>) -> Result<()> {
    let has_value = match context.resource::<Variable>(0) {
        Ok(variable) => variable.is_initialized(),
        Err(error) if error.code() == Code::NotFound => false,
        Err(error) => return Err(error),
    };
    context.set_scalar(0, has_value);
    Ok(())
}
