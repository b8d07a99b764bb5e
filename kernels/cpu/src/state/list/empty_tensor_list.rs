//! `EmptyTensorList`: a list without elements.
//!
//! `element_shape` is what is known of every element that will be pushed: a vector with -1 for unknown extents, or the scalar
//! -1. `max_num_elements` limits pushes, -1 does not. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;

/// A list without elements.
#[op("EmptyTensorList",
     input = "element_shape: shape_type",
     input = "max_num_elements: int32",
     output = "handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::new_list)]
pub struct EmptyTensorList;

/// `EmptyTensorList` of every dtype.
#[kernel(EmptyTensorList, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, max_num_elements])]
pub fn empty_tensor_list_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let most = arguments::scalar(context, 1, "max_num_elements")?;
    let mut list = TensorList::new(Vec::new(), arguments::element_shape(context, 0)?, context.attr("element_dtype")?);
    list.max_num_elements = usize::try_from(most).ok();
    context.set_output(0, list.into_tensor());
    Ok(())
}
