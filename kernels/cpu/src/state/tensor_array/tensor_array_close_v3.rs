//! `TensorArrayCloseV3`: lets the elements of a tensor array go. Whoever uses the array afterwards gets an error.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;

/// Lets the elements go.
#[op("TensorArrayCloseV3", input = "handle: resource", stateful, shape = shapes::close)]
pub struct TensorArrayCloseV3;

/// `TensorArrayCloseV3` of every dtype.
#[kernel(TensorArrayCloseV3, device = CPU)]
pub fn tensor_array_close_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<TensorArray>(0)?.close();
    Ok(())
}
