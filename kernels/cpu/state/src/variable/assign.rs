//! Assignments: `Assign` and `AssignVariableOp` replace the value of a variable, `AssignAdd`, `AssignSub` and their
//! forms for resources add to it and subtract from it.

use crate::combination::Combination;
use crate::target::Target;
use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_ops::state::{Assign, AssignAdd, AssignAddVariableOp, AssignSub, AssignSubVariableOp, AssignVariableOp};

/// `Assign` of every dtype. With the attr `validate_shape` the value has the shape of the value that the variable has,
/// or was declared with; without it, any shape. The output is the reference.
#[kernel(Assign, device = CPU, T = any)]
pub fn assign_cpu(
    r#ref: Input<'_>,
    value: Input<'_>,
    validate_shape: bool,
    mut output_ref: OutputSlot<'_>,
) -> Result<()> {
    let variable = r#ref.resource::<Variable>()?;
    let mut guard = variable.lock();
    if validate_shape {
        let given = value.shape();
        let (fits, shape) = match guard.get() {
            Some(old) => (old.shape() == given, old.shape().into()),
            None => (variable.shape().accepts(given), variable.shape().clone()),
        };
        ensure!(fits, "the variable has the shape {shape}, the value {given}; with validate_shape they must be equal");
    }
    let old = guard.replace(value.take())?;
    drop(guard);
    drop(old);
    output_ref.set(r#ref.take());
    Ok(())
}

/// `AssignVariableOp` of every dtype. The variable is made where there is none: of the dtype and shape that the handle
/// declares. It takes the value's memory; where others still need that, the next update makes a copy. Another dtype
/// than the variable's is an error; with the attr `validate_shape`, another shape than that of the value it has is one
/// too.
#[kernel(AssignVariableOp, device = CPU, dtype = any)]
pub fn assign_variable_op_cpu(resource: &ResourceHandle, value: Input<'_>, validate_shape: bool) -> Result<()> {
    let variable = resource.get_or_create(|| {
        let declared = resource.info().and_then(|info| info.dtypes_and_shapes.first());
        let shape = declared.map_or(PartialShape::unknown(), |(_, shape)| shape.clone());
        Ok(Variable::new(value.dtype(), shape))
    })?;
    let mut guard = variable.lock();
    if let Some(old) = guard.get().filter(|_| validate_shape) {
        let (old, new) = (old.shape(), value.shape());
        ensure!(old == new, "the variable has the shape {old}, the value {new}, and the node asks for equal shapes");
    }
    let old = guard.replace(value.take())?;
    drop(guard);
    drop(old);
    Ok(())
}

/// Sums of numbers. Value and variable have one shape and dtype. Additions to one variable from several threads follow
/// one after the other, whatever `use_locking` says, so that none is lost; integers wrap around.
#[kernel(AssignAdd, device = CPU, T = [numbers])]
#[kernel(AssignAddVariableOp, device = CPU, dtype = [numbers])]
pub fn assign_add_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    value: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, Combination::Add, value, env)
}

/// Differences of numbers, as the sums.
#[kernel(AssignSub, device = CPU, T = [numbers])]
#[kernel(AssignSubVariableOp, device = CPU, dtype = [numbers])]
pub fn assign_sub_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    value: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, Combination::Sub, value, env)
}

fn change(target: Target<'_>, how: Combination, value: &Tensor, env: Env<'_>) -> Result<()> {
    target.update(|variable| {
        let held = variable.value()?;
        ensure!(held.dtype() == value.dtype(), "the variable holds {}, the value {}", held.dtype(), value.dtype());
        let (shape, given) = (held.shape(), value.shape());
        ensure!(shape == given, "the variable has the shape {shape}, the value {given}; they must be equal");
        how.of_tensors(variable.value_mut(&env)?, value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn additions_from_several_threads_all_count() {
        let step = InStep::new(1);
        let attrs = [("dtype", DType::Float.into()), ("shape", PartialShape::unknown().into())];
        let handle = step.one("VarHandleOp", &attrs, vec![]).unwrap();
        step.run("AssignVariableOp", &[], vec![handle.clone(), Tensor::full([100], 0f32)]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let inputs = vec![handle.clone(), Tensor::full([100], 1f32)];
                        step.run("AssignAddVariableOp", &[], inputs).unwrap();
                        step.run("ReadVariableOp", &attrs[..1], vec![handle.clone()]).unwrap();
                    }
                });
            }
        });
        let sum = step.one("ReadVariableOp", &attrs[..1], vec![handle]).unwrap();
        assert_eq!(sum.as_slice::<f32>().unwrap(), [1000.0; 100]);
    }
}
