//! `ScatterAdd`, `ScatterSub`, `ScatterMul`, `ScatterDiv`, `ScatterMin`, `ScatterMax` and `ScatterUpdate`, and the
//! forms of them that take a resource: change rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row
//! whose index occurs several times is changed as often, in this order. An index that is no row is an error, and
//! nothing is changed then. Changes from several threads follow one after the other, whatever `use_locking` says.

use crate::combination::{Combination, Slices, check_divisors};
use crate::target::Target;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::state::rows_of;
use oplink_ops::state::{ResourceScatterAdd, ResourceScatterDiv, ResourceScatterMax, ResourceScatterMin};
use oplink_ops::state::{ResourceScatterMul, ResourceScatterSub, ResourceScatterUpdate, ScatterAdd, ScatterDiv};
use oplink_ops::state::{ScatterMax, ScatterMin, ScatterMul, ScatterSub, ScatterUpdate};

/// Sums of numbers.
#[kernel(ScatterAdd, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterAdd, device = CPU, dtype = [numbers], Tindices = any)]
pub fn scatter_add_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Add), env)
}

/// Differences of numbers.
#[kernel(ScatterSub, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterSub, device = CPU, dtype = [numbers], Tindices = any)]
pub fn scatter_sub_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Sub), env)
}

/// Products of numbers.
#[kernel(ScatterMul, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterMul, device = CPU, dtype = [numbers], Tindices = any)]
pub fn scatter_mul_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Mul), env)
}

/// Quotients of numbers, of integers rounded towards zero. A divisor of 0 is an error for integers, and for every dtype
/// of a resource.
#[kernel(ScatterDiv, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterDiv, device = CPU, dtype = [numbers], Tindices = any)]
pub fn scatter_div_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    if resource.is_some() || updates.dtype().is_integer() {
        check_divisors(updates)?;
    }
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Div), env)
}

/// The smaller ones of real numbers.
#[kernel(ScatterMin, device = CPU, T = [reals], Tindices = any)]
#[kernel(ResourceScatterMin, device = CPU, dtype = [reals], Tindices = any)]
pub fn scatter_min_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Min), env)
}

/// The larger ones of real numbers.
#[kernel(ScatterMax, device = CPU, T = [reals], Tindices = any)]
#[kernel(ResourceScatterMax, device = CPU, dtype = [reals], Tindices = any)]
pub fn scatter_max_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), Some(Combination::Max), env)
}

/// Replaces rows of every dtype.
#[kernel(ScatterUpdate, device = CPU, T = any, Tindices = any)]
#[kernel(ResourceScatterUpdate, device = CPU, dtype = any, Tindices = any)]
pub fn scatter_update_cpu(
    r#ref: Option<Input<'_>>,
    resource: Option<Input<'_>>,
    indices: &Tensor,
    updates: &Tensor,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::of(r#ref, resource, output_ref)?, (indices, updates), None, env)
}

fn change(
    target: Target<'_>,
    (indices, updates): (&Tensor, &Tensor),
    how: Option<Combination>,
    env: Env<'_>,
) -> Result<()> {
    target.update(|variable| {
        let slices = slices_of(variable.value()?, indices, updates)?;
        let values = variable.value_mut(&env)?;
        match how {
            Some(how) => how.of_slices(values, updates, &slices),
            None => slices.replace(values, updates),
        }
    })
}

/// The rows of a variable as slices of its elements.
fn slices_of(variable: &Tensor, indices: &Tensor, updates: &Tensor) -> Result<Slices> {
    let (count, length) = rows_of(variable, indices.shape(), updates)?;
    let start = |(at, index): (usize, i64)| match usize::try_from(index) {
        Ok(index) if index < count => Ok(Some(index * length)),
        _ => bail!("indices[{at}] = {index} is not in [0, {count}), the rows of the variable"),
    };
    let starts = int_values(indices)?.into_iter().enumerate().map(start).collect::<Result<_>>()?;
    Ok(Slices { starts, length, is_scalar: updates.rank() == 0 })
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
        step.run("AssignVariableOp", &[], vec![handle.clone(), Tensor::full([3, 50], 0f32)]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let inputs = vec![handle.clone(), [2, 0, 2].into(), 1f32.into()];
                        step.run("ResourceScatterAdd", &[], inputs).unwrap();
                    }
                });
            }
        });
        let sum = step.one("ReadVariableOp", &attrs[..1], vec![handle]).unwrap();
        let rows: Vec<f32> = sum.as_slice::<f32>().unwrap().iter().step_by(50).copied().collect();
        assert_eq!(rows, [800.0, 0.0, 1600.0]);
    }
}
