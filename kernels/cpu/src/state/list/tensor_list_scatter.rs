//! `TensorListScatter`, `TensorListScatterV2`, `TensorListScatterIntoExistingList`: the rows of a tensor at positions of a
//! list.
//!
//! The first two make a list; it has `num_elements` elements, or as many as the largest position needs, of which those that
//! no row goes to are not set. The third replaces elements of a list, which it makes longer where a position is beyond the
//! end. The last of several rows for one position stays. The elements share the tensor's memory. Every dtype.

use oplink::prelude::*;

use super::access::change;
use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;
use crate::state::rows::rows;

/// A list of the rows of `tensor`, at `indices`.
#[op("TensorListScatter",
     input = "tensor: element_dtype",
     input = "indices: int32",
     input = "element_shape: shape_type",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::scatter)]
pub struct TensorListScatter;

/// A list of `num_elements` elements with the rows of `tensor` at `indices`.
#[op("TensorListScatterV2",
     input = "tensor: element_dtype",
     input = "indices: int32",
     input = "element_shape: shape_type",
     input = "num_elements: int32",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::scatter)]
pub struct TensorListScatterV2;

/// The list with the rows of `tensor` at `indices`.
#[op("TensorListScatterIntoExistingList",
     input = "input_handle: variant",
     input = "tensor: element_dtype",
     input = "indices: int32",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     shape = shapes::scatter_into)]
pub struct TensorListScatterIntoExistingList;

/// `TensorListScatter` of every dtype.
#[kernel(TensorListScatter, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape])]
pub fn tensor_list_scatter_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    scatter(context, -1)
}

/// `TensorListScatterV2` of every dtype.
#[kernel(TensorListScatterV2, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, num_elements])]
pub fn tensor_list_scatter_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let num_elements = arguments::single(context, 3, "num_elements")?;
    ensure!(num_elements >= -1, "num_elements must be >= 0, or -1 for as many as are needed, it is {num_elements}");
    scatter(context, num_elements)
}

/// `TensorListScatterIntoExistingList` of every dtype.
#[kernel(TensorListScatterIntoExistingList, device = CPU, element_dtype = any)]
pub fn tensor_list_scatter_into_existing_list_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (positions, rows) = positions_and_rows(context, 1)?;
    change(context, |list| {
        put(list, &positions, rows);
        Ok(())
    })
}

fn scatter(context: &mut KernelContext<'_>, num_elements: i64) -> Result<()> {
    let (positions, rows) = positions_and_rows(context, 0)?;
    let tensor = context.input(0);
    let mut list = TensorList::new(Vec::new(), arguments::element_shape(context, 2)?, tensor.dtype());
    list.check_shape(&Shape::new(&tensor.shape()[1..]))?;
    if let Ok(count) = usize::try_from(num_elements) {
        let largest = positions.iter().max();
        ensure!(largest.is_none_or(|&at| at < count), "indices has positions outside of a list of {count} elements");
        list.elements.resize(count, None);
    }
    put(&mut list, &positions, rows);
    context.set_output(0, list.into_tensor());
    Ok(())
}

/// The rows of the tensor in input `index`, and the position of each, from the next input.
fn positions_and_rows(context: &KernelContext<'_>, index: usize) -> Result<(Vec<usize>, Vec<Option<Tensor>>)> {
    let rows = rows(context.input(index))?;
    let positions = arguments::vector(context, index + 1, "indices")?;
    let (given, wanted) = (positions.len(), rows.len());
    ensure!(given == wanted, "indices has {given} positions for {wanted} rows of the tensor");
    let positions = positions.into_iter().map(|at| arguments::not_negative(at, "an element of indices"));
    Ok((positions.collect::<Result<_>>()?, rows))
}

fn put(list: &mut TensorList, positions: &[usize], rows: Vec<Option<Tensor>>) {
    let needed = positions.iter().max().map_or(0, |largest| largest + 1);
    if needed > list.elements.len() {
        list.elements.resize(needed, None);
    }
    positions.iter().zip(rows).for_each(|(&at, row)| list.elements[at] = row);
}
