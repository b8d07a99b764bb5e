//! `TensorListReserve`: a list of elements that are not set yet.
//!
//! `element_shape` is a vector with -1 for unknown extents, or the scalar -1. `num_elements` is not negative. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;

/// A list of elements that are not set yet.
#[op("TensorListReserve",
     input = "element_shape: shape_type",
     input = "num_elements: int32",
     output = "handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::new_list)]
pub struct TensorListReserve;

/// `TensorListReserve` of every dtype.
#[kernel(TensorListReserve, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, num_elements])]
pub fn tensor_list_reserve_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let count = arguments::not_negative(arguments::scalar(context, 1, "num_elements")?, "num_elements")?;
    let element_shape = arguments::element_shape(context, 0)?;
    let list = TensorList::new(vec![None; count], element_shape, context.attr("element_dtype")?);
    context.set_output(0, list.into_tensor());
    Ok(())
}
