//! `AssignVariableOp`: replaces the value of a resource variable.
//!
//! The variable is made where there is none. It takes the value's memory; where others still need that, the next update
//! makes a copy. Another dtype than the variable's is an error; with the attr `validate_shape`, another shape than that of
//! the value it has is one too. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::var_handle_op::variable_or_new;

/// Replaces the value of a variable.
#[op("AssignVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     attr = "validate_shape: bool = false",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignVariableOp;

/// `AssignVariableOp` of every dtype.
#[kernel(AssignVariableOp, device = CPU, dtype = any)]
pub fn assign_variable_op_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let variable = variable_or_new(context, 0, context.input(1).dtype())?;
    let mut guard = variable.lock();
    if let Some(old) = guard.get().filter(|_| context.attr::<bool>("validate_shape").unwrap_or(false)) {
        let (old, new) = (old.shape(), context.input(1).shape());
        ensure!(old == new, "the variable has the shape {old}, the value {new}, and the node asks for equal shapes");
    }
    let old = guard.replace(context.take_input(1))?;
    drop(guard);
    drop(old);
    Ok(())
}
