//! `TensorListConcatV2`: the elements of a list joined along their first axis.
//!
//! The elements, at least vectors, agree in all extents but the first. `lengths` has the first extent of each. One that was
//! never set counts as zeros, as long as `leading_dims` says at its position, or else as the element shape does, or else as
//! all the elements that are set, where these agree. Every dtype.

use oplink::prelude::*;

use super::access::list;
use super::shapes;
use super::tensor_list::TensorList;
use crate::state::arguments;
use crate::state::rows::join;

/// The elements one after the other, and how long each is.
#[op("TensorListConcatV2",
     input = "input_handle: variant",
     input = "element_shape: shape_type",
     input = "leading_dims: int64",
     output = "tensor: element_dtype",
     output = "lengths: int64",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::concat)]
pub struct TensorListConcatV2;

/// `TensorListConcatV2` of every dtype.
#[kernel(TensorListConcatV2, device = CPU, element_dtype = any, shape_type = any, host_memory = [element_shape, leading_dims])]
pub fn tensor_list_concat_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let list = list(context, 0)?;
    let shape = list.shape_with(&arguments::element_shape(context, 1)?)?;
    let (first, row) = agreed(list, &shape)?;
    let lengths = lengths(list, &arguments::vector(context, 2, "leading_dims")?, first)?;
    let width = row.num_elements();
    let elements: Vec<_> =
        list.elements.iter().zip(&lengths).map(|(element, length)| (element.as_ref(), length * width)).collect();
    let out = join(context, 0, [&[lengths.iter().sum()], row.dims()].concat(), &elements)?;
    context.set_output(0, out);
    context.set_output(1, lengths.iter().map(|&length| length as i64).collect::<Vec<_>>().into());
    Ok(())
}

/// The first extent that all elements have, where there is one, and the other extents. Elements of a list whose element
/// shape is fully known are not looked at.
fn agreed(list: &TensorList, shape: &PartialShape) -> Result<(Option<usize>, Shape)> {
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
        row = Some(row.map_or(Ok(rest.clone()), |row| oplink::merge_shapes(&row, &rest))?);
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
fn lengths(list: &TensorList, leading_dims: &[i64], first: Option<usize>) -> Result<Vec<usize>> {
    let length = |(at, element): (usize, &Option<Tensor>)| match (element, leading_dims.get(at), first) {
        (Some(element), ..) => Ok(element.shape()[0]),
        (None, Some(&length), _) => arguments::not_negative(length, "an element of leading_dims"),
        (None, None, Some(first)) => Ok(first),
        (None, None, None) => bail!("element {at} was never set, and leading_dims does not say how long it is"),
    };
    list.elements.iter().enumerate().map(length).collect()
}
