//! `TensorListSplit`: a list of parts of a tensor along its first axis.
//!
//! `lengths` are the parts' first extents and add up to the tensor's. The elements share the tensor's memory. Its other
//! extents must fit those of `element_shape`. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;

/// A list of parts of `tensor`.
#[op("TensorListSplit",
     input = "tensor: element_dtype",
     input = "element_shape: shape_type",
     input = "lengths: int64",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::split)]
pub struct TensorListSplit;

/// `TensorListSplit` of every dtype.
#[kernel(TensorListSplit, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, lengths])]
pub fn tensor_list_split_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (tensor, shape) = (context.input(0), arguments::element_shape(context, 1)?);
    let Some((&rows, row)) = tensor.shape().split_first() else { bail!("a scalar cannot be split") };
    if let Some(dims) = shape.dims() {
        let fits = !dims.is_empty() && PartialShape::new(&dims[1..]).accepts(row);
        ensure!(fits, "parts of a tensor of shape {} do not fit the element shape {shape}", tensor.shape());
    }
    let lengths = arguments::vector(context, 2, "lengths")?;
    let mut elements = Vec::with_capacity(lengths.len());
    let mut start = 0usize;
    for length in lengths {
        let end = start.saturating_add(arguments::not_negative(length, "an element of lengths")?);
        ensure!(end <= rows, "lengths add up to more than the {rows} rows of the tensor");
        elements.push(Some(tensor.slice(start, end)?));
        start = end;
    }
    ensure!(start == rows, "lengths add up to {start}, the tensor has {rows} rows");
    let list = TensorList::new(elements, shape, tensor.dtype());
    context.set_output(0, list.into_tensor());
    Ok(())
}
