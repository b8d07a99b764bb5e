//! What there is to know of a tensor list: one element, their number, their shape.

use super::value::{TensorList, common_shape, fully_known};
use crate::arguments::{ElementShape, Single};
use crate::rows::zeros;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink_ops::state::{TensorListElementShape, TensorListGetItem, TensorListLength};

/// `TensorListGetItem` of every dtype. The output shares the element's memory; one that was never set is zeros of the
/// shape that the list, `element_shape` and the elements that are set give together.
#[kernel(TensorListGetItem, device = CPU, element_dtype = any, Tshape = any, host_memory = [index, element_shape])]
pub fn tensor_list_get_item_cpu(
    input_handle: &TensorList,
    index: Single,
    element_shape: &Tensor,
    element_dtype: DType,
    env: Env<'_>,
) -> Result<Tensor> {
    let (list, at) = (input_handle, index.0);
    list.check_dtype(element_dtype)?;
    match usize::try_from(at).ok().and_then(|at| list.elements.get(at)) {
        Some(Some(element)) => Ok(element.clone()),
        Some(None) => {
            let shape = list.shape_with(&ElementShape::bind(element_shape)?.0)?;
            let shape = fully_known(&common_shape(shape, list.elements.iter())?)?;
            zeros(env, element_dtype, shape)
        }
        None => bail!("index {at} is outside of a list of {} elements", list.elements.len()),
    }
}

/// `TensorListLength` of every dtype.
#[kernel(TensorListLength, device = CPU)]
pub fn tensor_list_length_cpu(input_handle: &TensorList) -> i32 {
    input_handle.elements.len() as i32
}

/// `TensorListElementShape` of every dtype: a vector of int32 or int64 with -1 for unknown extents; the scalar -1 for
/// an unknown rank.
#[kernel(TensorListElementShape, device = CPU, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_element_shape_cpu(input_handle: &TensorList, shape_type: DType) -> Tensor {
    match (input_handle.element_shape.to_i64(), shape_type == DType::Int64) {
        (None, true) => Tensor::scalar(-1i64),
        (None, false) => Tensor::scalar(-1i32),
        (Some(extents), true) => extents.into(),
        (Some(extents), false) => extents.into_iter().map(|extent| extent as i32).collect::<Vec<_>>().into(),
    }
}
