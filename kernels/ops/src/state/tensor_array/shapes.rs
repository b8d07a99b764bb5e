//! Shape functions of tensor arrays. The shape of a handle is that of the two names it once was; handles are scalars.

use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;

const HANDLE: [Option<usize>; 1] = [Some(2)];

/// A handle, which tells of the elements where these have one shape or a known one; and the flow.
pub(super) fn new_array(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.set_output(0, PartialShape::new(&HANDLE));
    context.set_output(1, PartialShape::scalar());
    let shape: PartialShape = context.attr("element_shape")?;
    if context.attr("identical_element_shapes")? || shape.is_fully_known() {
        context.set_output_handle_shapes(0, vec![(context.attr("dtype")?, shape)]);
    }
    Ok(())
}

/// The names of a new array.
pub(super) fn new_names(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.set_output(0, PartialShape::new(&HANDLE));
    Ok(())
}

/// The names of an array of gradients.
pub(super) fn gradient_names(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.set_output(0, PartialShape::new(&HANDLE));
    Ok(())
}

/// Elements of an array of which nothing is known.
pub(super) fn gather_by_names(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(2, 0)?;
    context.set_output(0, PartialShape::unknown());
    Ok(())
}

/// Rows written into an array of which nothing is known.
pub(super) fn scatter_by_names(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(3, 0)?;
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// An element written at a position.
pub(super) fn write(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(1, 0)?;
    context.with_rank(3, 0)?;
    if let Some((_, shape)) = context.input_handle_shapes(0).first() {
        merge_shapes(shape, context.input(2))?;
    }
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The element at a position.
pub(super) fn read(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(1, 0)?;
    context.with_rank(2, 0)?;
    let shape = held(context);
    context.set_output(0, shape);
    Ok(())
}

/// As many elements as there are indices.
pub(super) fn gather(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    let indices = context.with_rank(1, 1)?;
    context.with_rank(2, 0)?;
    let shape = match context.input_handle_shapes(0).first() {
        Some((_, held)) => held.clone(),
        None => context.attr("element_shape")?,
    };
    let output = context.concatenate(&indices, &shape);
    context.set_output(0, output);
    Ok(())
}

/// Rows written at positions.
pub(super) fn scatter(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    let indices = context.with_rank(1, 1)?;
    context.with_rank_at_least(2, 1)?;
    context.with_rank(3, 0)?;
    if let Some((_, shape)) = context.input_handle_shapes(0).first() {
        let rows = context.concatenate(&indices, shape);
        merge_shapes(context.input(2), &rows)?;
    }
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// Parts written as elements.
pub(super) fn split(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(2, 1)?;
    context.with_rank(3, 0)?;
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// All elements joined.
pub(super) fn concat(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(1, 0)?;
    context.set_output(0, PartialShape::unknown());
    context.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// The number of elements.
pub(super) fn size(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The end.
pub(super) fn close(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)
}

/// A handle to gradients of the same elements.
pub(super) fn gradient(context: &mut ShapeContext<'_>) -> Result<()> {
    handle(context)?;
    context.with_rank(1, 0)?;
    context.set_output(0, PartialShape::new(&HANDLE));
    context.set_output(1, PartialShape::scalar());
    shape_fns::pass_handle(context, 0, 0);
    Ok(())
}

/// A handle to gradients of elements with more extents.
pub(super) fn gradient_with_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    gradient(context)?;
    if let Some((dtype, shape)) = context.input_handle_shapes(0).first().cloned() {
        let outer = context.with_rank(2, 1)?.dim(0).map_or_else(PartialShape::unknown, PartialShape::unknown_of_rank);
        let shape = context.concatenate(&outer, &shape);
        context.take_output_handle_shapes();
        context.set_output_handle_shapes(0, vec![(dtype, shape)]);
    }
    Ok(())
}

/// Input 0 can be a handle.
fn handle(context: &ShapeContext<'_>) -> Result<()> {
    let shape = context.with_rank(0, 1)?;
    context.merge_dim(shape.dim(0), HANDLE[0])?;
    Ok(())
}

fn held(context: &ShapeContext<'_>) -> PartialShape {
    context.input_handle_shapes(0).first().map_or_else(PartialShape::unknown, |(_, shape)| shape.clone())
}
