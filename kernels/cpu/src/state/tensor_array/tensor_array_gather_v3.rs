//! `TensorArrayGatherV3`: some elements of a tensor array as the rows of a tensor.
//!
//! The elements have one shape, which fits the attr `element_shape`; without any index it must be fully known. Each is read as
//! `TensorArrayReadV3` does. Every dtype.

use oplink::merge_shapes;
use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use crate::state::arguments;
use crate::state::rows::join;

/// The elements at `indices` as rows.
#[op("TensorArrayGatherV3",
     input = "handle: resource",
     input = "indices: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     stateful,
     shape = shapes::gather)]
pub struct TensorArrayGatherV3;

/// `TensorArrayGatherV3` of every dtype.
#[kernel(TensorArrayGatherV3, device = CPU, dtype = any)]
pub fn tensor_array_gather_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let indices = arguments::vector(context, 1, "indices")?;
    let mut state = array.open_for(context.attr("dtype")?)?;
    let elements = indices.iter().map(|&index| state.read(index)).collect::<Result<Vec<_>>>()?;
    drop(state);
    let given: PartialShape = context.attr("element_shape")?;
    let shape = elements.iter().try_fold(given, |shape, element| merge_shapes(&shape, &element.shape().into()));
    let shape = known_row(shape?)?;
    let length = shape.num_elements();
    let pieces: Vec<_> = elements.iter().map(|element| (Some(element), length)).collect();
    let out = join(context, 0, [&[elements.len()], shape.dims()].concat(), &pieces)?;
    context.set_output(0, out);
    Ok(())
}

/// The shape of each row of a tensor that may have none.
pub(super) fn known_row(shape: PartialShape) -> Result<Shape> {
    shape.to_shape().ok_or_else(|| {
        let message = format!("no elements are joined, and their shape {shape} is not fully known from the attrs");
        Error::unimplemented(message)
    })
}
