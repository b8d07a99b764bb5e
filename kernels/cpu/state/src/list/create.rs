//! New tensor lists: empty ones, of elements that are not set, of the rows or parts of a tensor.
//!
//! `element_shape` is what is known of every element: a vector with -1 for unknown extents, or the scalar -1. The
//! elements share the tensor's memory.

use super::value::{TensorList, change};
use crate::arguments::{ElementShape, Scalar, Single, Size, Vector, not_negative};
use crate::rows::rows;
use oplink::memory::{try_filled, try_resize, try_vec};
use oplink::prelude::*;
use oplink_ops::state::{EmptyTensorList, TensorListFromTensor, TensorListReserve, TensorListScatter};
use oplink_ops::state::{TensorListScatterIntoExistingList, TensorListScatterV2, TensorListSplit};

/// `EmptyTensorList` of every dtype. `max_num_elements` limits pushes, -1 does not.
#[kernel(EmptyTensorList, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, max_num_elements])]
pub fn empty_tensor_list_cpu(element_shape: ElementShape, max_num_elements: Scalar, element_dtype: DType) -> Tensor {
    let mut list = TensorList::new(Vec::new(), element_shape.0, element_dtype);
    list.max_num_elements = usize::try_from(max_num_elements.0).ok();
    list.into_tensor()
}

/// `TensorListReserve` of every dtype: a list of elements that are not set yet.
#[kernel(TensorListReserve, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, num_elements])]
pub fn tensor_list_reserve_cpu(
    element_shape: ElementShape,
    num_elements: Size,
    element_dtype: DType,
) -> Result<Tensor> {
    Ok(TensorList::new(try_filled(None, num_elements.0)?, element_shape.0, element_dtype).into_tensor())
}

/// `TensorListFromTensor` of every dtype: a list of the rows of a tensor, whose shape without the first extent
/// `element_shape` must fit.
#[kernel(TensorListFromTensor, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_from_tensor_cpu(tensor: &Tensor, element_shape: ElementShape, env: Env<'_>) -> Result<Tensor> {
    let list = TensorList::new(rows(env, tensor)?, element_shape.0, tensor.dtype());
    list.check_shape(&Shape::new(&tensor.shape()[1..]))?;
    Ok(list.into_tensor())
}

/// `TensorListSplit` of every dtype: a list of parts of a tensor along its first axis. `lengths` are the parts' first
/// extents and add up to the tensor's, whose other extents must fit those of `element_shape`.
#[kernel(TensorListSplit, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, lengths])]
pub fn tensor_list_split_cpu(tensor: &Tensor, element_shape: ElementShape, lengths: Vector) -> Result<Tensor> {
    let shape = element_shape.0;
    let Some((&rows, row)) = tensor.shape().split_first() else { bail!("a scalar cannot be split") };
    if let Some(dims) = shape.dims() {
        let fits = !dims.is_empty() && PartialShape::new(&dims[1..]).accepts(row);
        ensure!(fits, "parts of a tensor of shape {} do not fit the element shape {shape}", tensor.shape());
    }
    let mut elements = try_vec(lengths.0.len())?;
    let mut start = 0usize;
    for length in lengths.0 {
        let end = start.saturating_add(not_negative(length, "an element of lengths")?);
        ensure!(end <= rows, "lengths add up to more than the {rows} rows of the tensor");
        elements.push(Some(tensor.slice(start, end)?));
        start = end;
    }
    ensure!(start == rows, "lengths add up to {start}, the tensor has {rows} rows");
    Ok(TensorList::new(elements, shape, tensor.dtype()).into_tensor())
}

/// `TensorListScatter` of every dtype: a list of the rows of a tensor at the positions `indices`, with as many elements
/// as the largest position needs, of which those that no row goes to are not set. The last of several rows for one
/// position stays.
#[kernel(TensorListScatter, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_scatter_cpu(
    tensor: &Tensor,
    indices: Vector,
    element_shape: ElementShape,
    env: Env<'_>,
) -> Result<Tensor> {
    scatter(tensor, &indices, element_shape, -1, env)
}

/// `TensorListScatterV2` of every dtype: as `TensorListScatter`, with `num_elements` elements where that is not -1.
#[kernel(TensorListScatterV2, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, num_elements])]
pub fn tensor_list_scatter_v2_cpu(
    tensor: &Tensor,
    indices: Vector,
    element_shape: ElementShape,
    num_elements: Single,
    env: Env<'_>,
) -> Result<Tensor> {
    let num_elements = num_elements.0;
    ensure!(num_elements >= -1, "num_elements must be >= 0, or -1 for as many as are needed, it is {num_elements}");
    scatter(tensor, &indices, element_shape, num_elements, env)
}

/// `TensorListScatterIntoExistingList` of every dtype: replaces elements of a list by rows of a tensor. A list that
/// ends before a position becomes longer.
#[kernel(TensorListScatterIntoExistingList, device = CPU, element_dtype = any)]
pub fn tensor_list_scatter_into_existing_list_cpu(
    input_handle: Input<'_>,
    tensor: &Tensor,
    indices: Vector,
    element_dtype: DType,
    mut output_handle: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (positions, rows) = positions_and_rows(tensor, &indices, env)?;
    change(input_handle, Some(element_dtype), &mut output_handle, |list| put(list, &positions, rows))
}

fn scatter(
    tensor: &Tensor,
    indices: &Vector,
    element_shape: ElementShape,
    num_elements: i64,
    env: Env<'_>,
) -> Result<Tensor> {
    let (positions, rows) = positions_and_rows(tensor, indices, env)?;
    let mut list = TensorList::new(Vec::new(), element_shape.0, tensor.dtype());
    list.check_shape(&Shape::new(&tensor.shape()[1..]))?;
    if let Ok(count) = usize::try_from(num_elements) {
        let largest = positions.iter().max();
        ensure!(largest.is_none_or(|&at| at < count), "indices has positions outside of a list of {count} elements");
        try_resize(&mut list.elements, count, None)?;
    }
    put(&mut list, &positions, rows)?;
    Ok(list.into_tensor())
}

/// The rows of a tensor, and the position of each.
fn positions_and_rows(tensor: &Tensor, indices: &Vector, env: Env<'_>) -> Result<(Vec<usize>, Vec<Option<Tensor>>)> {
    if let (given, Some(&wanted)) = (indices.0.len(), tensor.shape().first()) {
        ensure!(given == wanted, "indices has {given} positions for {wanted} rows of the tensor");
    }
    let rows = rows(env, tensor)?;
    let positions = indices.0.iter().map(|&at| not_negative(at, "an element of indices"));
    Ok((positions.collect::<Result<_>>()?, rows))
}

fn put(list: &mut TensorList, positions: &[usize], rows: Vec<Option<Tensor>>) -> Result<()> {
    let needed = positions.iter().max().map_or(0, |largest| largest.saturating_add(1));
    if needed > list.elements.len() {
        try_resize(&mut list.elements, needed, None)?;
    }
    positions.iter().zip(rows).for_each(|(&at, row)| list.elements[at] = row);
    Ok(())
}
