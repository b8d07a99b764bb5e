//! Shape functions of tensor lists. The handle of a list tells of one dtype and shape: those of its elements.

use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;

/// A new list with elements of the shape in input 0.
pub(super) fn new_list(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = given_shape(context, 0)?;
    set_list(context, 0, shape)
}

/// A list of the rows of input 0, of the shape in input 1.
pub(super) fn from_tensor(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = given_shape(context, 1)?;
    merge_shapes(&row_of(context, 0)?, &shape)?;
    set_list(context, 0, shape)
}

/// As [`from_tensor`], with the element shape in input 2.
pub(super) fn scatter(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = given_shape(context, 2)?;
    set_list(context, 0, shape)
}

/// A list of parts of input 0, of the shape in input 1.
pub(super) fn split(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank_at_least(0, 1)?;
    let shape = given_shape(context, 1)?;
    let part = context.concatenate(&PartialShape::new(&[None]), &row_of(context, 0)?);
    merge_shapes(&part, &shape)?;
    set_list(context, 0, shape)
}

/// The list in input 0, which takes rows of input 1.
pub(super) fn scatter_into(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank_at_least(1, 1)?;
    let shape = held(context, 0)?;
    set_list(context, 0, shape)
}

/// The list in input 0 as it is.
pub(super) fn same_list(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::scalar());
    shape_fns::pass_handle(context, 0, 0);
    Ok(())
}

/// The list in input 0.
pub(super) fn push_back(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = held(context, 0)?;
    set_list(context, 0, shape)
}

/// The list in input 0, which the tensor in input 2 fits.
pub(super) fn set_item(context: &mut ShapeContext<'_>) -> Result<()> {
    match context.input_handle_shapes(0) {
        [(_, shape)] => drop(merge_shapes(shape, context.input(2))?),
        [] => return set_list(context, 0, PartialShape::unknown()),
        held => bail!("input 0 holds {} values, not a tensor list", held.len()),
    }
    same_list(context)
}

/// The list in input 0, and an element.
pub(super) fn pop_back(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = held(context, 0)?;
    context.set_output(1, shape);
    same_list(context)
}

/// An element of the list in input 0, of the shape in input 2.
pub(super) fn get_item(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = merge_shapes(&held(context, 0)?, &given_shape(context, 2)?)?;
    context.set_output(0, shape);
    Ok(())
}

/// As many elements as the attr `num_elements` says, of the shape in input 1.
pub(super) fn stack(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = merge_shapes(&held(context, 0)?, &given_shape(context, 1)?)?;
    let count = usize::try_from(context.attr::<i64>("num_elements")?).ok();
    let output = context.concatenate(&PartialShape::new(&[count]), &shape);
    context.set_output(0, output);
    Ok(())
}

/// An element for each of input 1, of the shape in input 2.
pub(super) fn gather(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = merge_shapes(&held(context, 0)?, &given_shape(context, 2)?)?;
    let output = context.concatenate(context.input(1), &shape);
    context.set_output(0, output);
    Ok(())
}

/// Elements joined along their first axis, of the shape in input 1.
pub(super) fn concat(context: &mut ShapeContext<'_>) -> Result<()> {
    let given = given_shape(context, 1)?;
    joined(context, &given)
}

/// As [`concat`], of elements of the shape in an attr.
pub(super) fn concat_by_attr(context: &mut ShapeContext<'_>) -> Result<()> {
    let given: PartialShape = context.attr("element_shape")?;
    joined(context, &given)
}

fn joined(context: &mut ShapeContext<'_>, given: &PartialShape) -> Result<()> {
    let shape = merge_shapes(&held(context, 0)?, given)?;
    let rest = context.subshape(&shape, 1, None)?;
    let output = context.concatenate(&PartialShape::new(&[None]), &rest);
    context.set_output(0, output);
    context.set_output(1, PartialShape::unknown_of_rank(1));
    Ok(())
}

/// A vector with an element for each extent that elements have.
pub(super) fn element_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let rank = context.input_handle_shapes(0).first().and_then(|(_, shape)| shape.rank());
    if let Some(rank) = rank {
        context.set_output(0, PartialShape::new(&[Some(rank)]));
    }
    Ok(())
}

/// The lists in input 0, which the rows of input 1 fit.
pub(super) fn push_back_batch(context: &mut ShapeContext<'_>) -> Result<()> {
    let (lists, rows) = (context.with_rank(0, 1)?, context.with_rank_at_least(1, 1)?);
    let count = context.merge_dim(lists.dim(0), rows.dim(0))?;
    let shape = held(context, 0)?;
    set_list(context, 0, shape)?;
    context.set_output(0, PartialShape::new(&[count]));
    Ok(())
}

/// The lists in both inputs, which have one shape and elements of one shape.
pub(super) fn concat_lists(context: &mut ShapeContext<'_>) -> Result<()> {
    let lists = merge_shapes(context.input(0), context.input(1))?;
    let shape = merge_shapes(&held(context, 0)?, &held(context, 1)?)?;
    set_list(context, 0, shape)?;
    context.set_output(0, lists);
    Ok(())
}

/// What is known of the elements of the list in an input, which are of the dtype of the attr `element_dtype`.
fn held(context: &ShapeContext<'_>, index: usize) -> Result<PartialShape> {
    let held = context.input_handle_shapes(index);
    ensure!(held.len() <= 1, "input {} holds {} values, not a tensor list", context.input_name(index), held.len());
    let Some((dtype, shape)) = held.first() else { return Ok(PartialShape::unknown()) };
    let wanted: DType = context.attr("element_dtype")?;
    ensure!(*dtype == wanted, "the list holds tensors of {dtype}, the op works on {wanted}");
    Ok(shape.clone())
}

/// The element shape in an input; a scalar stands for an unknown one.
fn given_shape(context: &ShapeContext<'_>, index: usize) -> Result<PartialShape> {
    let scalar = context.with_rank_at_most(index, 1)?.rank() == Some(0);
    match context.constant_ints(index)? {
        Some(values) if scalar && values == [-1] => Ok(PartialShape::unknown()),
        _ if scalar => bail!("an element shape that is a scalar must be the constant -1, for an unknown shape"),
        _ => context.make_shape_from_tensor(index),
    }
}

/// The shape of an input without its first extent.
fn row_of(context: &ShapeContext<'_>, index: usize) -> Result<PartialShape> {
    context.subshape(context.input(index), 1, None)
}

fn set_list(context: &mut ShapeContext<'_>, index: usize, shape: PartialShape) -> Result<()> {
    let dtype = context.attr("element_dtype")?;
    context.set_output(index, PartialShape::scalar());
    context.set_output_handle_shapes(index, vec![(dtype, shape)]);
    Ok(())
}
