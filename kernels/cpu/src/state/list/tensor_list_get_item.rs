//! `TensorListGetItem`: one element of a list.
//!
//! It shares the element's memory. One that was never set is zeros of the shape that the list, `element_shape` and the
//! elements that are set give together. Every dtype.

use oplink::prelude::*;

use super::access::list;
use super::shapes;
use super::tensor_list::{common_shape, fully_known};
use crate::state::arguments;
use crate::state::rows::zeros;

/// The element at `index`.
#[op("TensorListGetItem",
     input = "input_handle: variant",
     input = "index: int32",
     input = "element_shape: Tshape",
     output = "item: element_dtype",
     attr = "element_dtype: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shapes::get_item)]
pub struct TensorListGetItem;

/// `TensorListGetItem` of every dtype.
#[kernel(TensorListGetItem, device = CPU, element_dtype = any, Tshape = any, host_memory = [index, element_shape])]
pub fn tensor_list_get_item_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let list = list(context, 0)?;
    let (at, length) = (arguments::single(context, 1, "index")?, list.elements.len());
    let Some(element) = usize::try_from(at).ok().and_then(|at| list.elements.get(at)) else {
        bail!("index {at} is outside of a list of {length} elements")
    };
    let item = match element {
        Some(element) => element.clone(),
        None => {
            let shape = list.shape_with(&arguments::element_shape(context, 2)?)?;
            let shape = fully_known(&common_shape(shape, list.elements.iter())?)?;
            zeros(context, list.element_dtype, shape)?
        }
    };
    context.set_output(0, item);
    Ok(())
}
