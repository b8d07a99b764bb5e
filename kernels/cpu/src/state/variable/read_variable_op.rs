//! `ReadVariableOp`: the value of a resource variable.
//!
//! The output is a snapshot in the variable's memory: updates that come later leave it as it is. No variable and no value
//! are `FailedPrecondition`, another dtype than the attr's is `InvalidArgument`. Every dtype.

use oplink::prelude::*;
use oplink::{Variable, ensure};

use super::shapes;

/// The value of a variable.
#[op("ReadVariableOp",
     input = "resource: resource",
     output = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::read_variable)]
pub struct ReadVariableOp;

/// `ReadVariableOp` of every dtype.
#[kernel(ReadVariableOp, device = CPU, dtype = any)]
pub fn read_variable_op_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.resource::<Variable>(0).and_then(|variable| variable.read()).map_err(not_ready)?;
    let dtype = context.node().output_dtypes[0];
    ensure!(value.dtype() == dtype, "the variable holds {}, it is read as {dtype}", value.dtype());
    context.set_output(0, value);
    Ok(())
}

/// A variable that is read before it is there is one that is not initialised.
#[cold]
pub(super) fn not_ready(error: Error) -> Error {
    match error.code() {
        Code::NotFound => Error::new(Code::FailedPrecondition, error.kind(), error.message()),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

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
