//! Reads of tensor arrays: one element, some as rows, all joined, and their number.

use super::array::TensorArray;
use crate::arguments::{Scalar, Vector};
use crate::rows::join;
use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;
use oplink_ops::state::{TensorArrayConcat, TensorArrayConcatV2, TensorArrayConcatV3, TensorArrayGather};
use oplink_ops::state::{
    TensorArrayGatherV2, TensorArrayGatherV3, TensorArrayPack, TensorArrayRead, TensorArrayReadV2,
};
use oplink_ops::state::{TensorArrayReadV3, TensorArraySize, TensorArraySizeV2, TensorArraySizeV3};

/// `TensorArrayReadV3` of every dtype. An element that was never written is zeros, if its shape is known: from the
/// array's, or in an array of gradients from that of the element they are of.
#[kernel(TensorArrayReadV3, device = CPU, dtype = any)]
#[kernel(TensorArrayReadV2, device = CPU, dtype = any)]
#[kernel(TensorArrayRead, device = CPU, dtype = any)]
pub fn tensor_array_read_cpu(handle: &Tensor, index: Scalar, dtype: DType, env: Env<'_>) -> Result<Tensor> {
    TensorArray::of(handle, env)?.open_for(dtype)?.read(index.0)
}

/// `TensorArraySizeV3` of every dtype: the number of elements.
#[kernel(TensorArraySizeV3, device = CPU)]
#[kernel(TensorArraySizeV2, device = CPU)]
#[kernel(TensorArraySize, device = CPU)]
pub fn tensor_array_size_cpu(handle: &Tensor, env: Env<'_>) -> Result<i32> {
    Ok(TensorArray::of(handle, env)?.open()?.len() as i32)
}

/// `TensorArrayGatherV3` of every dtype: some elements as the rows of a tensor. The elements have one shape, which fits
/// the attr `element_shape`; without any index it must be fully known. Each is read as `TensorArrayReadV3` does.
/// `TensorArrayPack` takes all elements.
#[kernel(TensorArrayGatherV3, device = CPU, dtype = any)]
#[kernel(TensorArrayGatherV2, device = CPU, dtype = any)]
#[kernel(TensorArrayGather, device = CPU, dtype = any)]
#[kernel(TensorArrayPack, device = CPU, dtype = any)]
pub fn tensor_array_gather_cpu(
    handle: &Tensor,
    indices: Option<Vector>,
    dtype: DType,
    element_shape: &PartialShape,
    mut value: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let array = TensorArray::of(handle, env)?;
    let mut state = array.open_for(dtype)?;
    let indices = indices.map_or_else(|| (0..state.len() as i64).collect(), |indices| indices.0);
    let elements = indices.iter().map(|&index| state.read(index)).collect::<Result<Vec<_>>>()?;
    drop(state);
    let given = element_shape.clone();
    let shape = elements.iter().try_fold(given, |shape, element| merge_shapes(&shape, &element.shape().into()));
    let shape = known_row(shape?)?;
    let length = shape.num_elements();
    let pieces: Vec<_> = elements.iter().map(|element| (Some(element), length)).collect();
    join(&mut value, [&[elements.len()], shape.dims()].concat(), &pieces)
}

/// `TensorArrayConcatV3` of every dtype: all elements joined along their first axis. The elements, at least vectors,
/// agree in all extents but the first, and these fit the attr `element_shape_except0`; of an array without elements
/// they must be fully known. `lengths` has the first extent of each. Each is read as `TensorArrayReadV3` does.
#[kernel(TensorArrayConcatV3, device = CPU, dtype = any, host_memory = [lengths, handle])]
#[kernel(TensorArrayConcatV2, device = CPU, dtype = any)]
#[kernel(TensorArrayConcat, device = CPU, dtype = any)]
pub fn tensor_array_concat_cpu(
    handle: &Tensor,
    dtype: DType,
    element_shape_except0: &PartialShape,
    mut value: OutputSlot<'_>,
    mut lengths: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let array = TensorArray::of(handle, env)?;
    let mut state = array.open_for(dtype)?;
    let elements = (0..state.len()).map(|index| state.read(index as i64)).collect::<Result<Vec<_>>>()?;
    drop(state);
    let extents = elements.iter().map(|element| match element.shape().first() {
        Some(&length) => Ok(length),
        None => bail!("elements to join must be at least vectors, one is a scalar"),
    });
    let extents = extents.collect::<Result<Vec<usize>>>()?;
    let given = element_shape_except0.clone();
    let rest =
        elements.iter().try_fold(given, |rest, element| merge_shapes(&rest, &Shape::new(&element.shape()[1..]).into()));
    let rest = known_row(rest?)?;
    let pieces: Vec<_> = elements.iter().map(|element| (Some(element), element.num_elements())).collect();
    join(&mut value, [&[extents.iter().sum()], rest.dims()].concat(), &pieces)?;
    lengths.set(extents.iter().map(|&length| length as i64).collect::<Vec<_>>().into());
    Ok(())
}

/// The shape of each row of a tensor that may have none.
fn known_row(shape: PartialShape) -> Result<Shape> {
    shape.to_shape().ok_or_else(|| {
        let message = format!("no elements are joined, and their shape {shape} is not fully known from the attrs");
        Error::unimplemented(message)
    })
}
