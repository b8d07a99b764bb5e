//! `TensorListLength`: the number of elements of a list, a scalar of int32.

use oplink::prelude::*;

use super::access::list;

/// The number of elements.
#[op("TensorListLength", input = "input_handle: variant", output = "length: int32", shape = shape_fns::scalar)]
pub struct TensorListLength;

/// `TensorListLength` of every dtype.
#[kernel(TensorListLength, device = CPU)]
pub fn tensor_list_length_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let length = list(context, 0)?.elements.len();
    context.set_scalar(0, length as i32);
    Ok(())
}
