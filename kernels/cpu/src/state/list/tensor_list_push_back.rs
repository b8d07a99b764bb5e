//! `TensorListPushBack`: a list with one more element at its end.
//!
//! Where nobody else holds the list it is changed in place. The tensor must fit the list's element shape; a list with as many
//! elements as it can hold is an error. Every dtype.

use oplink::prelude::*;

use super::access::change;
use super::shapes;

/// The list with `tensor` at its end.
#[op("TensorListPushBack",
     input = "input_handle: variant",
     input = "tensor: element_dtype",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     shape = shapes::push_back)]
pub struct TensorListPushBack;

/// `TensorListPushBack` of every dtype.
#[kernel(TensorListPushBack, device = CPU, element_dtype = any)]
pub fn tensor_list_push_back_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let tensor = context.take_input(1);
    change(context, |list| {
        list.check_shape(tensor.shape())?;
        list.push(tensor)
    })
}
