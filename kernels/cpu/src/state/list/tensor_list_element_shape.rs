//! `TensorListElementShape`: what a list knows of the shape of its elements.
//!
//! A vector of int32 or int64 with -1 for unknown extents; the scalar -1 for an unknown rank.

use oplink::prelude::*;

use super::access::list;
use super::shapes;

/// The element shape.
#[op("TensorListElementShape",
     input = "input_handle: variant",
     output = "element_shape: shape_type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::element_shape)]
pub struct TensorListElementShape;

/// `TensorListElementShape` of every dtype.
#[kernel(TensorListElementShape, device = CPU, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_element_shape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let extents = list(context, 0)?.element_shape.to_i64();
    let wide = context.node().output_dtypes[0] == DType::Int64;
    let output = match (extents, wide) {
        (None, true) => Tensor::scalar(-1i64),
        (None, false) => Tensor::scalar(-1i32),
        (Some(extents), true) => extents.into(),
        (Some(extents), false) => extents.into_iter().map(|extent| extent as i32).collect::<Vec<_>>().into(),
    };
    context.set_output(0, output);
    Ok(())
}
