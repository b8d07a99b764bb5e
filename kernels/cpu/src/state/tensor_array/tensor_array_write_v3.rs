//! `TensorArrayWriteV3`: writes an element of a tensor array.
//!
//! The array takes the value's memory. An element that was written or read already is an error; in an array of gradients
//! values written to one position add up. Every dtype.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;

/// Writes an element.
#[op("TensorArrayWriteV3",
     input = "handle: resource",
     input = "index: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     stateful,
     shape = shapes::write)]
pub struct TensorArrayWriteV3;

/// `TensorArrayWriteV3` of every dtype.
#[kernel(TensorArrayWriteV3, device = CPU, T = any)]
pub fn tensor_array_write_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let index = arguments::scalar(context, 1, "index")?;
    let value = context.take_input(2);
    array.open_for(value.dtype())?.write(index, value)?;
    let flow = context.take_input(3);
    context.set_output(0, flow);
    Ok(())
}
