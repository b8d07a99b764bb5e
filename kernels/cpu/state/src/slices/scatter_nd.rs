//! `ScatterNdAdd`, `ScatterNdSub`, `ScatterNdMin`, `ScatterNdMax` and `ScatterNdUpdate`, and the forms of them that
//! take a resource: change slices of a variable at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of the variable, and `updates` has the shape
//! `indices[:-1] + variable[indices.shape[-1]:]`. A slice whose coordinates occur several times is changed as often, in
//! this order. Coordinates outside are an error, and nothing is changed then; with the attr `bad_indices_policy`
//! `IGNORE` their updates are left out.

use crate::combination::{Combination, Slices};
use crate::target::Target;
use oplink::prelude::*;
use oplink_cpu_array::scatter::engine::Scatter;
use oplink_ops::state::{ResourceScatterNdAdd, ResourceScatterNdMax, ResourceScatterNdMin, ResourceScatterNdSub};
use oplink_ops::state::{ResourceScatterNdUpdate, ScatterNdAdd, ScatterNdMax, ScatterNdMin, ScatterNdSub};
use oplink_ops::state::{ScatterNdUpdate, slice_coordinates};

/// Sums of numbers; of bools in a resource, whether either is true.
#[kernel(ScatterNdAdd, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterNdAdd, device = CPU, T = [numbers, bool], Tindices = any)]
pub fn scatter_nd_add_cpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::new(r#ref, output_ref), (indices, updates, bad_indices_policy), Some(Combination::Add), env)
}

/// Differences of numbers; of bools in a resource, whether just one is true.
#[kernel(ScatterNdSub, device = CPU, T = [numbers], Tindices = any)]
#[kernel(ResourceScatterNdSub, device = CPU, T = [numbers, bool], Tindices = any)]
pub fn scatter_nd_sub_cpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::new(r#ref, output_ref), (indices, updates, bad_indices_policy), Some(Combination::Sub), env)
}

/// The smaller ones of real numbers.
#[kernel(ScatterNdMin, device = CPU, T = [reals], Tindices = any)]
#[kernel(ResourceScatterNdMin, device = CPU, T = [reals], Tindices = any)]
pub fn scatter_nd_min_cpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::new(r#ref, output_ref), (indices, updates, bad_indices_policy), Some(Combination::Min), env)
}

/// The larger ones of real numbers.
#[kernel(ScatterNdMax, device = CPU, T = [reals], Tindices = any)]
#[kernel(ResourceScatterNdMax, device = CPU, T = [reals], Tindices = any)]
pub fn scatter_nd_max_cpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::new(r#ref, output_ref), (indices, updates, bad_indices_policy), Some(Combination::Max), env)
}

/// Replaces slices of every dtype.
#[kernel(ScatterNdUpdate, device = CPU, T = any, Tindices = any)]
#[kernel(ResourceScatterNdUpdate, device = CPU, T = any, Tindices = any)]
pub fn scatter_nd_update_cpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    change(Target::new(r#ref, output_ref), (indices, updates, bad_indices_policy), None, env)
}

fn change(
    target: Target<'_>,
    (indices, updates, policy): (&Tensor, &Tensor, &str),
    how: Option<Combination>,
    env: Env<'_>,
) -> Result<()> {
    target.update(|variable| {
        let value = variable.value()?;
        let (dtype, given) = (value.dtype(), updates.dtype());
        ensure!(dtype == given, "the variable holds {dtype}, the updates {given}");
        let Scatter { starts, length } = Scatter::new(value.shape(), &slice_coordinates(indices)?, updates, policy)?;
        let slices = Slices { starts, length, is_scalar: false };
        let values = variable.value_mut(&env)?;
        match how {
            Some(how) => how.of_slices(values, updates, &slices),
            None => slices.replace(values, updates),
        }
    })
}
