//! `TensorArrayGradV3` and `TensorArrayGradWithShape`: the array of a tensor array's gradients.
//!
//! There is one for each value of the attr `source`, made the first time; from then on the array does not grow. It has as many
//! elements, of the same shapes, before whose extents the second form puts those in `shape_to_prepend`. What is written to one
//! position adds up. Every dtype.

use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;

/// The array of gradients.
#[op("TensorArrayGradV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "grad_handle: resource",
     output = "flow_out: float",
     attr = "source: string",
     stateful,
     shape = shapes::gradient)]
pub struct TensorArrayGradV3;

/// The array of gradients of elements with more extents.
#[op("TensorArrayGradWithShape",
     input = "handle: resource",
     input = "flow_in: float",
     input = "shape_to_prepend: int32",
     output = "grad_handle: resource",
     output = "flow_out: float",
     attr = "source: string",
     stateful,
     shape = shapes::gradient_with_shape)]
pub struct TensorArrayGradWithShape;

/// `TensorArrayGradV3` of every dtype.
#[kernel(TensorArrayGradV3, device = CPU)]
pub fn tensor_array_grad_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    gradient(context, &[])
}

/// `TensorArrayGradWithShape` of every dtype.
#[kernel(TensorArrayGradWithShape, device = CPU)]
pub fn tensor_array_grad_with_shape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let outer = Shape::from_i64(&arguments::vector(context, 2, "shape_to_prepend")?)?;
    gradient(context, &outer)
}

fn gradient(context: &mut KernelContext<'_>, outer: &[usize]) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let handle = array.open()?.gradient(context.attr("source")?, outer)?;
    context.set_scalar(0, handle);
    let flow = context.take_input(1);
    context.set_output(1, flow);
    Ok(())
}
