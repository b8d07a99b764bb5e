//! `ScatterNd`, `ScatterNdNonAliasingAdd` and `TensorScatterAdd`, `Sub`, `Max`, `Min`, `Update`: slices put to, or combined with,
//! places given by coordinates.
//!
//! Indices are of int32 or int64, in the device's memory. As on TensorFlow's GPUs, slices at coordinates outside are left out: the
//! host does not see the values. Where coordinates come several times, f32 is summed in no order; of `Update` the last slice
//! stays. Tensors of int32 are scattered in host memory.

use oplink::prelude::*;
use oplink_cpu_array::*;
use oplink_cpu_support::movement::CopyBackend;
use oplink_ops::array::*;

use crate::host_fallback::{host, kernels};
use crate::movement::Device;
use crate::scatter::{Combination, ScatterIndices, combine, replace};

kernels! {
    #[kernel(ScatterNd, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = [i32, i64],
        host_memory = [shape])]
    scatter_nd_gpu = scatter_nd;
    #[kernel(ScatterNd, device = GPU, T = [i32], Tindices = [i32, i64], host_memory = [indices, updates, shape, output])]
    scatter_nd_int32 = host::<scatter_nd_cpu>;
    #[kernel(ScatterNdNonAliasingAdd, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64],
        Tindices = any)]
    scatter_nd_non_aliasing_add_gpu = add;
    #[kernel(ScatterNdNonAliasingAdd, device = GPU, T = [i32], Tindices = any, host_memory = [input, indices, updates, output])]
    scatter_nd_non_aliasing_add_int32 = host::<scatter_nd_non_aliasing_add_cpu>;
    #[kernel(TensorScatterAdd, device = GPU, T = [floats, complex, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
    tensor_scatter_add_gpu = add;
    #[kernel(TensorScatterAdd, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
    tensor_scatter_add_int32 = host::<tensor_scatter_add_cpu>;
    #[kernel(TensorScatterSub, device = GPU, T = [floats, complex, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
    tensor_scatter_sub_gpu = subtract;
    #[kernel(TensorScatterSub, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
    tensor_scatter_sub_int32 = host::<tensor_scatter_sub_cpu>;
    #[kernel(TensorScatterMax, device = GPU, T = [floats, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
    tensor_scatter_max_gpu = largest;
    #[kernel(TensorScatterMax, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
    tensor_scatter_max_int32 = host::<tensor_scatter_max_cpu>;
    #[kernel(TensorScatterMin, device = GPU, T = [floats, i8, i16, i64, u8, u16, u32, u64], Tindices = any)]
    tensor_scatter_min_gpu = smallest;
    #[kernel(TensorScatterMin, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
    tensor_scatter_min_int32 = host::<tensor_scatter_min_cpu>;
    #[kernel(TensorScatterUpdate, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64],
        Tindices = [i32, i64])]
    tensor_scatter_update_gpu = update;
    #[kernel(TensorScatterUpdate, device = GPU, T = [i32], Tindices = [i32, i64], host_memory = [tensor, indices, updates, output])]
    tensor_scatter_update_int32 = host::<tensor_scatter_update_cpu>;
}

/// The way that equal coordinates add up: bools are joined by or.
pub(crate) fn sum(dtype: DType) -> Combination {
    if dtype == DType::Bool { Combination::Max } else { Combination::Add }
}

fn scatter_nd(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = scatter_nd_shape(context.input(2))?;
    let (indices, updates) = (context.input(0), context.input(1));
    let layout = ScatterLayout::of(&shape, indices.shape(), updates.shape())?;
    let mut out = context.allocate_output(0, shape)?;
    Device::fill(context.as_env(), &mut out, None)?;
    put(context, &layout, indices, &out, |device, places| {
        combine(device, sum(out.dtype()), &out, updates, places, layout.length)
    })?;
    context.set_output(0, out);
    Ok(())
}

/// Calls `put` with the places of the slices in `out`, where there are slices.
pub(crate) fn put(
    context: &KernelContext<'_>,
    layout: &ScatterLayout,
    indices: &Tensor,
    out: &Tensor,
    put: impl FnOnce(&dyn oplink::DeviceContext, &ScatterIndices) -> Result<()>,
) -> Result<()> {
    if layout.slices == 0 {
        return Ok(());
    }
    let device = context.device()?;
    put(device, &ScatterIndices::of(device, indices, layout.slices, &out.shape()[..layout.depth])?)
}

/// Sets output 0 to input 0 after `change`, in its memory where nobody else needs it.
fn changed(
    context: &mut KernelContext<'_>,
    change: impl FnOnce(&dyn oplink::DeviceContext, &Tensor, &Tensor, &ScatterIndices, usize) -> Result<()>,
) -> Result<()> {
    let layout = ScatterLayout::of(context.input(0).shape(), context.input(1).shape(), context.input(2).shape())?;
    let input = context.take_input(0);
    let out = if input.is_unique() || input.num_elements() == 0 {
        input
    } else {
        context.device()?.copy_in_device(&input)?
    };
    let updates = context.input(2);
    put(context, &layout, context.input(1), &out, |device, places| {
        change(device, &out, updates, places, layout.length)
    })?;
    context.set_output(0, out);
    Ok(())
}

fn add(context: &mut KernelContext<'_>) -> Result<()> {
    changed(context, |on, out, updates, places, length| combine(on, sum(out.dtype()), out, updates, places, length))
}

fn subtract(context: &mut KernelContext<'_>) -> Result<()> {
    changed(context, |on, out, updates, places, length| combine(on, Combination::Sub, out, updates, places, length))
}

fn largest(context: &mut KernelContext<'_>) -> Result<()> {
    changed(context, |on, out, updates, places, length| combine(on, Combination::Max, out, updates, places, length))
}

fn smallest(context: &mut KernelContext<'_>) -> Result<()> {
    changed(context, |on, out, updates, places, length| combine(on, Combination::Min, out, updates, places, length))
}

fn update(context: &mut KernelContext<'_>) -> Result<()> {
    changed(context, replace)
}
