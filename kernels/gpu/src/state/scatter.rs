//! `ResourceScatterAdd` and its like, which change rows of a variable by index, and `ResourceScatterNdAdd` and its like, which change
//! slices at coordinates.
//!
//! Indices are of int32 or int64, in the device's memory; rows and slices that do not exist are left out. Where one comes several
//! times, f32 is summed in no order; of an update the last one stays. A quotient by zero is that of the dtype: the host does not
//! see the values.

use oplink::prelude::*;
use oplink::{DeviceContext, Variable};
use oplink_cpu_array::ScatterLayout;
use oplink_cpu_state::*;
use oplink_ops::state::*;

use crate::array::scatter::{put, sum};
use crate::host_fallback::kernels;
use crate::scatter::{Combination, ScatterIndices, combine, replace};

/// The combinations, by the numbers that name them below; there is none of an update.
const COMBINATIONS: [Combination; 6] = {
    use Combination::{Add, Div, Max, Min, Mul, Sub};
    [Add, Sub, Mul, Div, Max, Min]
};
const ADD: usize = 0;
const SUB: usize = 1;
const MUL: usize = 2;
const DIV: usize = 3;
const MAX: usize = 4;
const MIN: usize = 5;
const UPDATE: usize = 6;

kernels! {
    #[kernel(ResourceScatterAdd, device = GPU, dtype = [numbers], Tindices = any)]
    resource_scatter_add_gpu = rows::<ADD>;
    #[kernel(ResourceScatterSub, device = GPU, dtype = [numbers], Tindices = any)]
    resource_scatter_sub_gpu = rows::<SUB>;
    #[kernel(ResourceScatterMul, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
    resource_scatter_mul_gpu = rows::<MUL>;
    #[kernel(ResourceScatterDiv, device = GPU, dtype = [floats], Tindices = any)]
    resource_scatter_div_gpu = rows::<DIV>;
    #[kernel(ResourceScatterMax, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
    resource_scatter_max_gpu = rows::<MAX>;
    #[kernel(ResourceScatterMin, device = GPU, dtype = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
    resource_scatter_min_gpu = rows::<MIN>;
    #[kernel(ResourceScatterUpdate, device = GPU, dtype = [numbers, bool], Tindices = any)]
    resource_scatter_update_gpu = rows::<UPDATE>;
    #[kernel(ResourceScatterNdAdd, device = GPU, T = [numbers, bool], Tindices = any)]
    resource_scatter_nd_add_gpu = slices::<ADD>;
    #[kernel(ResourceScatterNdSub, device = GPU, T = [numbers], Tindices = any)]
    resource_scatter_nd_sub_gpu = slices::<SUB>;
    #[kernel(ResourceScatterNdMax, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
    resource_scatter_nd_max_gpu = slices::<MAX>;
    #[kernel(ResourceScatterNdMin, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = any)]
    resource_scatter_nd_min_gpu = slices::<MIN>;
    #[kernel(ResourceScatterNdUpdate, device = GPU, T = [numbers, bool], Tindices = any)]
    resource_scatter_nd_update_gpu = slices::<UPDATE>;
}

/// Combines rows of the variable in input 0 with their updates, or replaces them.
fn rows<const HOW: usize>(context: &KernelContext<'_>) -> Result<()> {
    let (variable, indices, updates) = (context.resource::<Variable>(0)?, context.input(1), context.input(2));
    let mut guard = variable.lock();
    let (count, width) = rows_of(guard.value()?, indices.shape(), updates)?;
    let slices = indices.num_elements();
    if slices * width == 0 {
        return Ok(());
    }
    let (device, value) = (context.device()?, guard.value_mut(context.env())?);
    let places = ScatterIndices::of(device, indices, slices, &[count])?;
    change(device, COMBINATIONS.get(HOW).copied(), value, updates, &places, width)
}

/// Combines slices of the variable in input 0 with their updates, or replaces them.
fn slices<const HOW: usize>(context: &KernelContext<'_>) -> Result<()> {
    let (variable, updates) = (context.resource::<Variable>(0)?, context.input(2));
    let mut guard = variable.lock();
    let (value, indices) = (guard.value()?, context.input(1));
    ensure!(value.dtype() == updates.dtype(), "the variable holds {}, the updates {}", value.dtype(), updates.dtype());
    let indices = slice_coordinates(indices)?;
    let layout = ScatterLayout::of(value.shape(), indices.shape(), updates.shape())?;
    let how = if HOW == ADD { Some(sum(value.dtype())) } else { COMBINATIONS.get(HOW).copied() };
    let value = guard.value_mut(context.env())?;
    put(context, &layout, &indices, value, |device, places| change(device, how, value, updates, places, layout.length))
}

fn change(
    device: &dyn DeviceContext,
    how: Option<Combination>,
    value: &Tensor,
    updates: &Tensor,
    places: &ScatterIndices,
    length: usize,
) -> Result<()> {
    match how {
        Some(how) => combine(device, how, value, updates, places, length),
        None => replace(device, value, updates, places, length),
    }
}
