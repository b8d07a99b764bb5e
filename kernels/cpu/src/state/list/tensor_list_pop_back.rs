//! `TensorListPopBack`: the last element of a list, and the list without it.
//!
//! Where nobody else holds the list it is changed in place. An element that was never set is zeros of the shape that the
//! list and `element_shape` give together. Every dtype.

use oplink::prelude::*;

use super::access::change;
use super::shapes;
use super::tensor_list::fully_known;
use crate::state::arguments;
use crate::state::rows::zeros;

/// The list without its last element, and that.
#[op("TensorListPopBack",
     input = "input_handle: variant",
     input = "element_shape: int32",
     output = "output_handle: variant",
     output = "tensor: element_dtype",
     attr = "element_dtype: type",
     shape = shapes::pop_back)]
pub struct TensorListPopBack;

/// `TensorListPopBack` of every dtype.
#[kernel(TensorListPopBack, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_pop_back_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let given = arguments::element_shape(context, 1)?;
    let popped = change(context, |list| match list.elements.pop() {
        Some(Some(element)) => Ok(Ok(element)),
        Some(None) => Ok(Err((list.element_dtype, fully_known(&list.shape_with(&given)?)?))),
        None => bail!("the list is empty, there is nothing to pop"),
    })?;
    let tensor = match popped {
        Ok(element) => element,
        Err((dtype, shape)) => zeros(context, dtype, shape)?,
    };
    context.set_output(1, tensor);
    Ok(())
}
