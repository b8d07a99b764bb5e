//! `TensorListFromTensor`: a list of the rows of a tensor.
//!
//! The elements share the tensor's memory; their shape is that of the tensor without its first extent, and `element_shape`
//! must fit it. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;
use crate::state::rows::rows;

/// A list of the rows of `tensor`.
#[op("TensorListFromTensor",
     input = "tensor: element_dtype",
     input = "element_shape: shape_type",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::from_tensor)]
pub struct TensorListFromTensor;

/// `TensorListFromTensor` of every dtype.
#[kernel(TensorListFromTensor, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_from_tensor_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let tensor = context.input(0);
    let list = TensorList::new(rows(tensor)?, arguments::element_shape(context, 1)?, tensor.dtype());
    list.check_shape(&Shape::new(&tensor.shape()[1..]))?;
    context.set_output(0, list.into_tensor());
    Ok(())
}
