//! `ResourceScatterAdd` and its like, which change rows of a variable by index, and `ResourceScatterNdAdd` and its
//! like, which change slices at coordinates.
//!
//! Indices are of int32 or int64, in the device's memory; rows and slices that do not exist are left out. Where one
//! comes several times, f32 is summed in no order; of an update the last one stays. A quotient by zero is that of the
//! dtype: the host does not see the values.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_ops::array::ScatterLayout;
use oplink_ops::state::*;

use crate::array::scatter::{put, sum};
use crate::scatter::{Combination, ScatterIndices, combine, replace};

/// `ResourceScatterAdd` in the device's memory.
#[kernel(ResourceScatterAdd, device = GPU, dtype = [numbers], Tindices = any)]
pub fn resource_scatter_add_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Add), env)
}

/// `ResourceScatterSub` in the device's memory.
#[kernel(ResourceScatterSub, device = GPU, dtype = [numbers], Tindices = any)]
pub fn resource_scatter_sub_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Sub), env)
}

/// `ResourceScatterMul` in the device's memory.
#[kernel(ResourceScatterMul, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
pub fn resource_scatter_mul_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Mul), env)
}

/// `ResourceScatterDiv` in the device's memory.
#[kernel(ResourceScatterDiv, device = GPU, dtype = [floats], Tindices = any)]
pub fn resource_scatter_div_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Div), env)
}

/// `ResourceScatterMax` in the device's memory.
#[kernel(ResourceScatterMax, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
pub fn resource_scatter_max_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Max), env)
}

/// `ResourceScatterMin` in the device's memory.
#[kernel(ResourceScatterMin, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
pub fn resource_scatter_min_gpu(resource: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_rows(&resource, [indices, updates], Some(Combination::Min), env)
}

/// `ResourceScatterUpdate` in the device's memory.
#[kernel(ResourceScatterUpdate, device = GPU, dtype = [numbers, bool], Tindices = any)]
pub fn resource_scatter_update_gpu(
    resource: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    change_rows(&resource, [indices, updates], None, env)
}

/// `ResourceScatterNdAdd` in the device's memory.
#[kernel(ResourceScatterNdAdd, device = GPU, T = [numbers, bool], Tindices = any)]
pub fn resource_scatter_nd_add_gpu(r#ref: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_slices(&r#ref, [indices, updates], Some(sum(updates.dtype())), env)
}

/// `ResourceScatterNdSub` in the device's memory.
#[kernel(ResourceScatterNdSub, device = GPU, T = [numbers], Tindices = any)]
pub fn resource_scatter_nd_sub_gpu(r#ref: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_slices(&r#ref, [indices, updates], Some(Combination::Sub), env)
}

/// `ResourceScatterNdMax` in the device's memory.
#[kernel(ResourceScatterNdMax, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
pub fn resource_scatter_nd_max_gpu(r#ref: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_slices(&r#ref, [indices, updates], Some(Combination::Max), env)
}

/// `ResourceScatterNdMin` in the device's memory.
#[kernel(ResourceScatterNdMin, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
pub fn resource_scatter_nd_min_gpu(r#ref: Input<'_>, indices: &Tensor, updates: &Tensor, env: Env<'_>) -> Result<()> {
    change_slices(&r#ref, [indices, updates], Some(Combination::Min), env)
}

/// `ResourceScatterNdUpdate` in the device's memory.
#[kernel(ResourceScatterNdUpdate, device = GPU, T = [numbers, bool], Tindices = any)]
pub fn resource_scatter_nd_update_gpu(
    r#ref: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    change_slices(&r#ref, [indices, updates], None, env)
}

/// Combines rows of a variable with their updates, or replaces them.
fn change_rows(
    variable: &Input<'_>,
    [indices, updates]: [&Tensor; 2],
    how: Option<Combination>,
    env: Env<'_>,
) -> Result<()> {
    let variable = variable.resource::<Variable>()?;
    let mut guard = variable.lock();
    let (count, width) = rows_of(guard.value()?, indices.shape(), updates)?;
    let slices = indices.num_elements();
    if slices * width == 0 {
        return Ok(());
    }
    let (device, value) = (env.device()?, guard.value_mut(&env)?);
    let locations = ScatterIndices::of(device, indices, slices, &[count])?;
    change(device, how, value, updates, &locations, width)
}

/// Combines slices of a variable with their updates, or replaces them.
fn change_slices(
    variable: &Input<'_>,
    [indices, updates]: [&Tensor; 2],
    how: Option<Combination>,
    env: Env<'_>,
) -> Result<()> {
    let variable = variable.resource::<Variable>()?;
    let mut guard = variable.lock();
    let value = guard.value()?;
    ensure!(value.dtype() == updates.dtype(), "the variable holds {}, the updates {}", value.dtype(), updates.dtype());
    let indices = slice_coordinates(indices)?;
    let layout = ScatterLayout::of(value.shape(), indices.shape(), updates.shape())?;
    let value = guard.value_mut(&env)?;
    put(env, &layout, &indices, value, |device, locations| {
        change(device, how, value, updates, locations, layout.length)
    })
}

fn change(
    device: &dyn DeviceContext,
    how: Option<Combination>,
    value: &Tensor,
    updates: &Tensor,
    locations: &ScatterIndices,
    length: usize,
) -> Result<()> {
    match how {
        Some(how) => combine(device, how, value, updates, locations, length),
        None => replace(device, value, updates, locations, length),
    }
}
