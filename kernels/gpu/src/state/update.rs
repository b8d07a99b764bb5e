//! `AssignAddVariableOp` and `AssignSubVariableOp`: a value added to a variable, or subtracted from it.
//!
//! In place where no snapshot of the variable is left. Value and variable have one shape and dtype; integers wrap
//! around.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink::resource::Variable;
use oplink_ops::state::{AssignAddVariableOp, AssignSubVariableOp};

/// `AssignAddVariableOp` in the device's memory.
#[kernel(AssignAddVariableOp, device = GPU, dtype = [f16, bf16, f32, f64, i32, u32, i64, u64])]
pub fn assign_add_variable_op_gpu(resource: Input<'_>, value: &Tensor, env: Env<'_>) -> Result<()> {
    update(&resource, value, false, env)
}

/// `AssignSubVariableOp` in the device's memory.
#[kernel(AssignSubVariableOp, device = GPU, dtype = [f16, bf16, f32, f64, i32, u32, i64, u64])]
pub fn assign_sub_variable_op_gpu(resource: Input<'_>, value: &Tensor, env: Env<'_>) -> Result<()> {
    update(&resource, value, true, env)
}

/// Adds `value` to `target`, or subtracts it.
#[program(block = 256, T = [f16, bf16, f32, f64, i32, u32, i64, u64])]
fn add_in_place<T: Number>(target: &mut [T], value: &[T], subtracts: bool) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..value.len()).step_by(grid_dim().x * block_dim().x) {
        if subtracts {
            target[at] = target[at] - value[at];
        } else {
            target[at] = target[at] + value[at];
        }
    }
}

fn update(variable: &Input<'_>, value: &Tensor, subtracts: bool, env: Env<'_>) -> Result<()> {
    let variable = variable.resource::<Variable>()?;
    let mut guard = variable.lock();
    let target = guard.value()?;
    ensure!(target.dtype() == value.dtype(), "the variable holds {}, the value {}", target.dtype(), value.dtype());
    let (shape, given) = (target.shape(), value.shape());
    ensure!(shape == given, "the variable has the shape {shape}, the value {given}; they must be equal");
    if value.num_elements() == 0 {
        return Ok(());
    }
    let grid = add_in_place::blocks(value.num_elements());
    let target = guard.value_mut(&env)?;
    add_in_place { target, value, subtracts }.launch(env.device()?, value.dtype(), grid)
}
