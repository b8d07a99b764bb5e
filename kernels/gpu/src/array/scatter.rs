//! `ScatterNd`, `ScatterNdNonAliasingAdd` and `TensorScatterAdd`, `Sub`, `Max`, `Min`, `Update`: slices put to, or
//! combined with, locations given by coordinates.
//!
//! Indices are of int32 or int64, in the device's memory. As on TensorFlow's GPUs, slices at coordinates outside are
//! left out: the host does not see the values. Where coordinates come several times, f32 is summed in no order; of
//! `Update` the last slice stays. Tensors of int32 are scattered in host memory.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::array::{
    ScatterLayout, ScatterNd, ScatterNdNonAliasingAdd, TensorScatterAdd, TensorScatterMax, TensorScatterMin,
    TensorScatterSub, TensorScatterUpdate, scatter_nd_shape,
};
use oplink_ops::movement::CopyBackend;

use crate::movement::Device;
use crate::scatter::{Combination, ScatterIndices, combine, replace};

/// The way that equal coordinates add up: bools are joined by or.
pub(crate) fn sum(dtype: DType) -> Combination {
    if dtype == DType::Bool { Combination::Max } else { Combination::Add }
}

/// `ScatterNd` in the device's memory.
#[kernel(ScatterNd, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_gpu(
    indices: &Tensor,
    updates: &Tensor,
    shape: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = scatter_nd_shape(shape)?;
    let layout = ScatterLayout::of(&shape, indices.shape(), updates.shape())?;
    let out = output.allocate(shape)?;
    Device::fill(env, out, None)?;
    put(env, &layout, indices, out, |device, locations| {
        combine(device, sum(out.dtype()), out, updates, locations, layout.length)
    })
}

/// Calls `put` with the locations of the slices in `out`, where there are slices.
pub(crate) fn put(
    env: Env<'_>,
    layout: &ScatterLayout,
    indices: &Tensor,
    out: &Tensor,
    put: impl FnOnce(&dyn DeviceContext, &ScatterIndices) -> Result<()>,
) -> Result<()> {
    if layout.slices == 0 {
        return Ok(());
    }
    let device = env.device()?;
    put(device, &ScatterIndices::of(device, indices, layout.slices, &out.shape()[..layout.depth])?)
}

/// What becomes of the slices of a tensor, by their updates.
type Change = fn(&dyn DeviceContext, &Tensor, &Tensor, &ScatterIndices, usize) -> Result<()>;

/// Sets the output to `tensor` after `change`, in its memory where nobody else needs it.
fn changed(
    tensor: Input<'_>,
    [indices, updates]: [&Tensor; 2],
    change: Change,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let layout = ScatterLayout::of(tensor.shape(), indices.shape(), updates.shape())?;
    let out = if tensor.is_unique() || tensor.num_elements() == 0 {
        tensor.take()
    } else {
        env.device()?.copy_in_device(&tensor)?
    };
    put(env, &layout, indices, &out, |device, locations| change(device, &out, updates, locations, layout.length))?;
    output.set(out);
    Ok(())
}

/// `ScatterNdNonAliasingAdd` in the device's memory.
#[kernel(ScatterNdNonAliasingAdd, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
pub fn scatter_nd_non_aliasing_add_gpu(
    input: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    changed(input, [indices, updates], add, output, env)
}

fn add(
    device: &dyn DeviceContext,
    out: &Tensor,
    updates: &Tensor,
    locations: &ScatterIndices,
    length: usize,
) -> Result<()> {
    combine(device, sum(out.dtype()), out, updates, locations, length)
}

/// `TensorScatterAdd` in the device's memory.
#[kernel(TensorScatterAdd, device = GPU, T = [floats, complex, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
pub fn tensor_scatter_add_gpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    changed(tensor, [indices, updates], add, output, env)
}

/// `TensorScatterSub` in the device's memory.
#[kernel(TensorScatterSub, device = GPU, T = [floats, complex, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
pub fn tensor_scatter_sub_gpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let change: Change =
        |device, out, updates, locations, length| combine(device, Combination::Sub, out, updates, locations, length);
    changed(tensor, [indices, updates], change, output, env)
}

/// `TensorScatterMax` in the device's memory.
#[kernel(TensorScatterMax, device = GPU, T = [floats, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
pub fn tensor_scatter_max_gpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let change: Change =
        |device, out, updates, locations, length| combine(device, Combination::Max, out, updates, locations, length);
    changed(tensor, [indices, updates], change, output, env)
}

/// `TensorScatterMin` in the device's memory.
#[kernel(TensorScatterMin, device = GPU, T = [floats, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
pub fn tensor_scatter_min_gpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let change: Change =
        |device, out, updates, locations, length| combine(device, Combination::Min, out, updates, locations, length);
    changed(tensor, [indices, updates], change, output, env)
}

/// `TensorScatterUpdate` in the device's memory.
#[kernel(TensorScatterUpdate, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
pub fn tensor_scatter_update_gpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    changed(tensor, [indices, updates], replace, output, env)
}
