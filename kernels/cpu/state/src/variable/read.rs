//! What there is to know of a variable: its value, its shape, whether it has a value.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_ops::state::{DisableCopyOnRead, IsVariableInitialized, ReadVariableOp, VarIsInitializedOp, VariableShape};

/// `ReadVariableOp` of every dtype: a snapshot in the variable's memory, which later updates leave as it is. No
/// variable and no value are `FailedPrecondition`, another dtype than the attr's is `InvalidArgument`.
#[kernel(ReadVariableOp, device = CPU, dtype = any)]
pub fn read_variable_op_cpu(resource: Input<'_>, mut value: OutputSlot<'_>) -> Result<()> {
    let read = resource.resource::<Variable>().and_then(|variable| variable.read()).map_err(not_ready)?;
    let dtype = value.dtype();
    ensure!(read.dtype() == dtype, "the variable holds {}, it is read as {dtype}", read.dtype());
    value.set(read);
    Ok(())
}

/// `DisableCopyOnRead`: asks a variable to share its memory with its readers, which it does anyway. A variable that
/// does not exist is `FailedPrecondition`.
#[kernel(DisableCopyOnRead, device = CPU)]
pub fn disable_copy_on_read_cpu(resource: &ResourceHandle) -> Result<()> {
    resource.get::<Variable>().map(drop).map_err(not_ready)
}

/// The error of a variable that does not exist, to a reader: it is not initialized.
#[cold]
fn not_ready(error: Error) -> Error {
    match error.code() {
        Code::NotFound => Error::new(Code::FailedPrecondition, error.kind(), error.message()),
        _ => error,
    }
}

/// `VariableShape` of every dtype: the extents of a resource variable's value. A variable without a value has a shape
/// without extents; one that does not exist is `NotFound`.
#[kernel(VariableShape, device = CPU, out_type = any)]
pub fn variable_shape_cpu(input: Arc<Variable>, out_type: DType) -> Result<Tensor> {
    let shape = input.lock().get().map_or_else(Shape::scalar, |value| value.shape().clone());
    if out_type == DType::Int64 {
        return Ok(shape.iter().map(|&extent| extent as i64).collect::<Vec<_>>().into());
    }
    let narrow = |&extent: &usize| i32::try_from(extent);
    let extents = shape.iter().map(narrow).collect::<Result<Vec<_>, _>>();
    Ok(extents.map_err(|_| Error::invalid_argument(format!("an extent of {shape} is too large for int32")))?.into())
}

/// `VarIsInitializedOp`, and `IsVariableInitialized` of every dtype: whether a variable has a value; false for a
/// resource variable that does not exist.
#[kernel(VarIsInitializedOp, device = CPU)]
#[kernel(IsVariableInitialized, device = CPU, dtype = any)]
pub fn var_is_initialized_op_cpu(resource: Option<&ResourceHandle>, r#ref: Option<&ResourceHandle>) -> Result<bool> {
    let handle = resource.or(r#ref).ok_or_else(|| Error::internal("the op has no variable"))?;
    match handle.get::<Variable>() {
        Ok(variable) => Ok(variable.is_initialized()),
        Err(error) if error.code() == Code::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn a_value_that_was_read_outlives_updates() {
        let step = InStep::new(1);
        let attrs = [("dtype", DType::Int32.into()), ("shape", PartialShape::unknown().into())];
        let handle = step.one("VarHandleOp", &attrs, vec![]).unwrap();
        step.run("AssignVariableOp", &[], vec![handle.clone(), [1, 2].into()]).unwrap();
        let read = || step.one("ReadVariableOp", &attrs[..1], vec![handle.clone()]).unwrap();
        let before = read();
        assert!(before.shares_memory_with(&read()));
        step.run("AssignAddVariableOp", &[], vec![handle.clone(), [10, 10].into()]).unwrap();
        assert_eq!(before.as_slice::<i32>().unwrap(), [1, 2]);
        assert_eq!(read().as_slice::<i32>().unwrap(), [11, 12]);
    }
}
