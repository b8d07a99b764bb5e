//! `TensorArrayReadV3`: an element of a tensor array.
//!
//! One that was never written is zeros, if its shape is known: from the array's, or in an array of gradients from that of the
//! element they are of. Every dtype.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;

/// An element.
#[op("TensorArrayReadV3",
     input = "handle: resource",
     input = "index: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::read)]
pub struct TensorArrayReadV3;

/// `TensorArrayReadV3` of every dtype.
#[kernel(TensorArrayReadV3, device = CPU, dtype = any)]
pub fn tensor_array_read_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let index = arguments::scalar(context, 1, "index")?;
    let value = array.open_for(context.attr("dtype")?)?.read(index)?;
    context.set_output(0, value);
    Ok(())
}
