//! Writes to tensor arrays: one element, the rows of a tensor, the parts of a tensor.
//!
//! The array takes the value's memory, or shares it among the elements. An element that was written or read already is
//! an error; in an array of gradients values written to one position add up.

use super::array::TensorArray;
use crate::arguments::{Scalar, Vector, not_negative};
use crate::rows::rows;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::state::{TensorArrayScatter, TensorArrayScatterV2, TensorArrayScatterV3, TensorArraySplit};
use oplink_ops::state::{TensorArraySplitV2, TensorArraySplitV3, TensorArrayUnpack, TensorArrayWrite};
use oplink_ops::state::{TensorArrayWriteV2, TensorArrayWriteV3};

/// `TensorArrayWriteV3` of every dtype.
#[kernel(TensorArrayWriteV3, device = CPU, T = any)]
#[kernel(TensorArrayWriteV2, device = CPU, T = any)]
#[kernel(TensorArrayWrite, device = CPU, T = any)]
pub fn tensor_array_write_cpu(
    handle: &Tensor,
    index: Scalar,
    value: Input<'_>,
    flow_in: Input<'_>,
    mut flow_out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let value = value.take();
    TensorArray::of(handle, env)?.open_for(value.dtype())?.write(index.0, value)?;
    flow_out.set(flow_in.take());
    Ok(())
}

/// `TensorArrayScatterV3` of every dtype: writes each row of a tensor at its position. `TensorArrayUnpack` writes as
/// many rows as there are elements; an array that grows gets as many.
#[kernel(TensorArrayScatterV3, device = CPU, T = any)]
#[kernel(TensorArrayScatterV2, device = CPU, T = any)]
#[kernel(TensorArrayScatter, device = CPU, T = any)]
#[kernel(TensorArrayUnpack, device = CPU, T = any)]
pub fn tensor_array_scatter_cpu(
    handle: &Tensor,
    indices: Option<Vector>,
    value: &Tensor,
    flow_in: Input<'_>,
    mut flow_out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let array = TensorArray::of(handle, env)?;
    let rows = rows(env, value)?;
    let mut state = array.open_for(value.dtype())?;
    let indices = match (indices, value.shape().first()) {
        (Some(Vector(indices)), Some(&wanted)) => {
            let given = indices.len();
            ensure!(given == wanted, "indices has {given} positions for {wanted} rows of the value");
            indices
        }
        (Some(Vector(indices)), None) => indices,
        (None, None) => bail!("the value to unpack must be at least a vector, it is a scalar"),
        (None, Some(&count)) => {
            state.grow(count)?;
            ensure!(count == state.len(), "the value has {count} rows, the array {} elements", state.len());
            (0..count as i64).collect()
        }
    };
    indices.into_iter().zip(rows.into_iter().flatten()).try_for_each(|(index, row)| state.write(index, row))?;
    drop(state);
    flow_out.set(flow_in.take());
    Ok(())
}

/// `TensorArraySplitV3` of every dtype: writes parts of a tensor along its first axis as all elements of an array.
/// `lengths` are the parts' first extents; there are as many as elements, unless the array grows.
#[kernel(TensorArraySplitV3, device = CPU, T = any)]
#[kernel(TensorArraySplitV2, device = CPU, T = any)]
#[kernel(TensorArraySplit, device = CPU, T = any)]
pub fn tensor_array_split_cpu(
    handle: &Tensor,
    value: &Tensor,
    lengths: Vector,
    flow_in: Input<'_>,
    mut flow_out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let lengths = lengths.0;
    ensure!(value.rank() > 0, "the value to split must be at least a vector, it is a scalar");
    let mut parts = try_vec(lengths.len())?;
    let (rows, mut start) = (value.shape()[0], 0usize);
    for &length in &lengths {
        let end = start.saturating_add(not_negative(length, "an element of lengths")?);
        ensure!(end <= rows, "lengths add up to more than the {rows} rows of the value");
        parts.push(value.slice(start, end)?);
        start = end;
    }
    ensure!(start == rows, "lengths add up to {start}, the value has {rows} rows");
    let array = TensorArray::of(handle, env)?;
    let mut state = array.open_for(value.dtype())?;
    if let Some(last) = parts.len().checked_sub(1) {
        state.reach(last as i64)?;
    }
    let (given, size) = (parts.len(), state.len());
    ensure!(given == size, "the value is split into {given} parts, the array has {size} elements");
    parts.into_iter().zip(0i64..).try_for_each(|(part, index)| state.write(index, part))?;
    drop(state);
    flow_out.set(flow_in.take());
    Ok(())
}
