//! `TensorArraySizeV3`: the number of elements of a tensor array, a scalar of int32.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;

/// The number of elements.
#[op("TensorArraySizeV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "size: int32",
     stateful,
     shape = shapes::size)]
pub struct TensorArraySizeV3;

/// `TensorArraySizeV3` of every dtype.
#[kernel(TensorArraySizeV3, device = CPU)]
pub fn tensor_array_size_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let size = context.resource::<TensorArray>(0)?.open()?.len();
    context.set_scalar(0, size as i32);
    Ok(())
}
