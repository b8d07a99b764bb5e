//! `TensorArrayScatterV3`: writes the rows of a tensor as elements of a tensor array.
//!
//! As `TensorArrayWriteV3` of each row at its position. The elements share the tensor's memory. Every dtype.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;
use crate::state::rows::rows;

/// Writes rows as elements.
#[op("TensorArrayScatterV3",
     input = "handle: resource",
     input = "indices: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::scatter)]
pub struct TensorArrayScatterV3;

/// `TensorArrayScatterV3` of every dtype.
#[kernel(TensorArrayScatterV3, device = CPU, T = any)]
pub fn tensor_array_scatter_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let (indices, rows) = (arguments::vector(context, 1, "indices")?, rows(context.input(2))?);
    let (given, wanted) = (indices.len(), rows.len());
    ensure!(given == wanted, "indices has {given} positions for {wanted} rows of the value");
    let mut state = array.open_for(context.input(2).dtype())?;
    indices.into_iter().zip(rows.into_iter().flatten()).try_for_each(|(index, row)| state.write(index, row))?;
    drop(state);
    let flow = context.take_input(3);
    context.set_output(0, flow);
    Ok(())
}
