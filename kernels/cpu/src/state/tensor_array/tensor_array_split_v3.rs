//! `TensorArraySplitV3`: writes parts of a tensor along its first axis as all elements of a tensor array.
//!
//! `lengths` are the parts' first extents; there are as many as elements, unless the array grows. The elements share the
//! tensor's memory. Every dtype.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;

/// Writes parts of `value` as elements.
#[op("TensorArraySplitV3",
     input = "handle: resource",
     input = "value: T",
     input = "lengths: int64",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::split)]
pub struct TensorArraySplitV3;

/// `TensorArraySplitV3` of every dtype.
#[kernel(TensorArraySplitV3, device = CPU, T = any)]
pub fn tensor_array_split_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let (value, lengths) = (context.input(1), arguments::vector(context, 2, "lengths")?);
    ensure!(value.rank() > 0, "the value to split must be at least a vector, it is a scalar");
    let mut parts = Vec::with_capacity(lengths.len());
    let (rows, mut start) = (value.shape()[0], 0usize);
    for &length in &lengths {
        let end = start.saturating_add(arguments::not_negative(length, "an element of lengths")?);
        ensure!(end <= rows, "lengths add up to more than the {rows} rows of the value");
        parts.push(value.slice(start, end)?);
        start = end;
    }
    ensure!(start == rows, "lengths add up to {start}, the value has {rows} rows");
    let mut state = array.open_for(value.dtype())?;
    if let Some(last) = parts.len().checked_sub(1) {
        state.reach(last as i64)?;
    }
    let (given, size) = (parts.len(), state.len());
    ensure!(given == size, "the value is split into {given} parts, the array has {size} elements");
    parts.into_iter().zip(0i64..).try_for_each(|(part, index)| state.write(index, part))?;
    drop(state);
    let flow = context.take_input(3);
    context.set_output(0, flow);
    Ok(())
}
