//! `TensorListResize`: a list with elements cut off its end, or with more that are not set.
//!
//! Where nobody else holds the list it is changed in place.

use oplink::prelude::*;

use super::access::change;
use super::shapes;
use crate::state::arguments;

/// The list with `size` elements.
#[op("TensorListResize",
     input = "input_handle: variant",
     input = "size: int32",
     output = "output_handle: variant",
     shape = shapes::same_list)]
pub struct TensorListResize;

/// `TensorListResize` of every dtype.
#[kernel(TensorListResize, device = CPU, host_memory = [size])]
pub fn tensor_list_resize_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let size = arguments::not_negative(arguments::scalar(context, 1, "size")?, "size")?;
    change(context, |list| {
        list.elements.resize(size, None);
        Ok(())
    })
}
