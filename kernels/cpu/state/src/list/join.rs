//! Elements of a tensor list joined to a tensor.
//!
//! Elements that were never set are zeros, of the shape that the list, `element_shape` and the elements that are set
//! give together.

use super::value::{TensorList, common_shape, fully_known};
use crate::arguments::{ElementShape, Vector, not_negative};
use crate::rows::join;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::state::{TensorListConcat, TensorListConcatV2, TensorListGather, TensorListStack};

/// `TensorListStack` of every dtype: the elements, which have one shape, as the rows of a tensor. The attr
/// `num_elements` is the length to expect, -1 for any.
#[kernel(TensorListStack, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_stack_cpu(
    input_handle: &TensorList,
    element_shape: ElementShape,
    element_dtype: DType,
    num_elements: i64,
    mut tensor: OutputSlot<'_>,
) -> Result<()> {
    input_handle.check_dtype(element_dtype)?;
    let (count, expected) = (input_handle.elements.len(), num_elements);
    ensure!(expected == -1 || expected == count as i64, "the list has {count} elements, {expected} are expected");
    stack(input_handle, input_handle.elements.iter().collect(), element_shape, &mut tensor)
}

/// `TensorListGather` of every dtype: as `TensorListStack` of the elements at `indices`; only these are asked for the
/// shape of those among them that were never set.
#[kernel(TensorListGather, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_gather_cpu(
    input_handle: &TensorList,
    indices: &Tensor,
    element_shape: ElementShape,
    element_dtype: DType,
    mut values: OutputSlot<'_>,
) -> Result<()> {
    input_handle.check_dtype(element_dtype)?;
    let elements = &input_handle.elements;
    let element = |at: i64| match usize::try_from(at).ok().and_then(|at| elements.get(at)) {
        Some(element) => Ok(element),
        None => bail!("index {at} is outside of a list of {} elements", elements.len()),
    };
    let picked = int_values(indices)?.into_iter().map(element).collect::<Result<Vec<_>>>()?;
    stack(input_handle, picked, element_shape, &mut values)
}

fn stack(
    list: &TensorList,
    elements: Vec<&Option<Tensor>>,
    element_shape: ElementShape,
    output: &mut OutputSlot<'_>,
) -> Result<()> {
    let shape = list.shape_with(&element_shape.0)?;
    let shape = fully_known(&common_shape(shape, elements.iter().copied())?)?;
    let length = shape.num_elements();
    let rows: Vec<_> = elements.iter().map(|element| (element.as_ref(), length)).collect();
    join(output, [&[elements.len()], shape.dims()].concat(), &rows)
}

/// `TensorListConcatV2` of every dtype: the elements joined along their first axis. The elements, at least vectors,
/// agree in all extents but the first. `lengths` has the first extent of each. That of one that was never set is what
/// `leading_dims` has at its position, or else that of the element shape, or else that of all the elements that are
/// set, where these agree.
#[kernel(TensorListConcatV2, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, leading_dims])]
pub fn tensor_list_concat_v2_cpu(
    input_handle: &TensorList,
    element_shape: ElementShape,
    leading_dims: Vector,
    element_dtype: DType,
    mut tensor: OutputSlot<'_>,
    mut lengths: OutputSlot<'_>,
) -> Result<()> {
    input_handle.check_dtype(element_dtype)?;
    concat(input_handle, &element_shape.0, &leading_dims.0, &mut tensor, &mut lengths)
}

/// `TensorListConcat` of every dtype: as `TensorListConcatV2` without `leading_dims`, the element shape an attr.
#[kernel(TensorListConcat, device = CPU, element_dtype = any)]
pub fn tensor_list_concat_cpu(
    input_handle: &TensorList,
    element_shape: &PartialShape,
    element_dtype: DType,
    mut tensor: OutputSlot<'_>,
    mut lengths: OutputSlot<'_>,
) -> Result<()> {
    input_handle.check_dtype(element_dtype)?;
    concat(input_handle, element_shape, &[], &mut tensor, &mut lengths)
}

fn concat(
    list: &TensorList,
    element_shape: &PartialShape,
    leading_dims: &[i64],
    tensor: &mut OutputSlot<'_>,
    lengths: &mut OutputSlot<'_>,
) -> Result<()> {
    let shape = list.shape_with(element_shape)?;
    let (first, row) = common_extents(list, &shape)?;
    let extents = first_extents(list, leading_dims, first)?;
    let width = row.num_elements();
    let elements: Vec<_> =
        list.elements.iter().zip(&extents).map(|(element, length)| (element.as_ref(), length * width)).collect();
    join(tensor, [&[extents.iter().sum()], row.dims()].concat(), &elements)?;
    lengths.set(extents.iter().map(|&length| length as i64).collect::<Vec<_>>().into());
    Ok(())
}

/// The first extent that all elements have, where there is one, and the other extents. Elements of a list whose element
/// shape is fully known are not looked at.
fn common_extents(list: &TensorList, shape: &PartialShape) -> Result<(Option<usize>, Shape)> {
    ensure!(shape.rank() != Some(0), "elements to join must be at least vectors, the element shape is a scalar's");
    let mut row: Option<PartialShape> = shape.dims().map(|dims| PartialShape::new(&dims[1..]));
    let given = shape.dim(0);
    let mut firsts = Vec::new();
    let set = list.elements.iter().flatten().filter(|_| !list.element_shape.is_fully_known());
    for element in set {
        let Some((&first, rest)) = element.shape().split_first() else {
            bail!("elements to join must be at least vectors")
        };
        ensure!(
            given.is_none_or(|given| given == first),
            "an element of shape {} does not fit {shape}",
            element.shape()
        );
        let rest = PartialShape::from(Shape::new(rest));
        row = Some(row.map_or(Ok(rest.clone()), |row| oplink::shape_inference::merge_shapes(&row, &rest))?);
        firsts.push(first);
    }
    let common = firsts.first().filter(|first| firsts.iter().all(|other| other == *first)).copied();
    let row = row.unwrap_or_default();
    match row.to_shape() {
        Some(row) => Ok((given.or(common), row)),
        None => bail!("all extents but the first must be known to join a list without elements that are set: {row}"),
    }
}

/// The first extent of each element.
fn first_extents(list: &TensorList, leading_dims: &[i64], first: Option<usize>) -> Result<Vec<usize>> {
    let length = |(at, element): (usize, &Option<Tensor>)| match (element, leading_dims.get(at), first) {
        (Some(element), ..) => Ok(element.shape()[0]),
        (None, Some(&length), _) => not_negative(length, "an element of leading_dims"),
        (None, None, Some(first)) => Ok(first),
        (None, None, None) => bail!("element {at} was never set, and leading_dims does not say how long it is"),
    };
    list.elements.iter().enumerate().map(length).collect()
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn rows_come_back() {
        let rows = Tensor::from_vec([2, 2], vec![1i32, 2, 3, 4]).unwrap();
        let list = run_one("TensorListFromTensor", vec![rows.clone(), Tensor::scalar(-1)]).unwrap();
        let attrs = [("element_dtype", DType::Int32.into())];
        let stacked = run("TensorListStack", &attrs, vec![list, [2].into()]).unwrap();
        assert_eq!(AttrValue::from(&stacked[0]), AttrValue::from(rows));
    }
}
