//! Shape functions of variables.

use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;

/// A scalar handle to what the attrs `dtype` and `shape` say.
pub(super) fn var_handle(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::scalar());
    context.set_output_handle_shapes(0, vec![(context.attr("dtype")?, context.attr("shape")?)]);
    Ok(())
}

/// The shape behind the handle.
pub(super) fn read_variable(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = behind(context, context.output_dtype(0))?.unwrap_or_default();
    context.set_output(0, shape);
    Ok(())
}

/// The value in input 1 fits the shape behind the handle.
pub(super) fn assign_variable(context: &mut ShapeContext<'_>) -> Result<()> {
    if let Some(shape) = behind(context, context.input_dtype(1))? {
        merge_shapes(&shape, context.input(1))?;
    }
    Ok(())
}

/// A vector of as many elements as the shape behind the handle has extents.
pub(super) fn variable_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let rank = behind(context, None)?.and_then(|shape| shape.rank());
    context.set_output(0, PartialShape::new(&[rank]));
    Ok(())
}

/// The scalar behind the handle, which must tell of it.
pub(super) fn count_up_to(context: &mut ShapeContext<'_>) -> Result<()> {
    let Some(shape) = behind(context, context.output_dtype(0))? else { bail!("the handle tells of no variable") };
    ensure!(shape.rank().is_none_or(|rank| rank == 0), "the variable must be a scalar, it has the shape {shape}");
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// What the handle in input 0 refers to, where that is known.
fn behind(context: &ShapeContext<'_>, dtype: Option<DType>) -> Result<Option<PartialShape>> {
    let Some((held, shape)) = context.input_handle_shapes(0).first() else { return Ok(None) };
    if let Some(dtype) = dtype.filter(|dtype| dtype != held) {
        bail!("the variable holds {held}, this op works on it as {dtype}");
    }
    Ok(Some(shape.clone()))
}

/// The shape in the attr `shape`.
pub(super) fn explicit(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = context.attr("shape")?;
    context.set_output(0, shape);
    Ok(())
}

/// As [`explicit`], where a shape without extents stands for an unknown one.
pub(super) fn variable(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape: &PartialShape = context.attr("shape")?;
    if shape.rank() != Some(0) {
        context.set_output(0, shape.clone());
    }
    Ok(())
}

/// The shape of the value, which is also the reference's where the attr `validate_shape` says so.
pub(super) fn assign(context: &mut ShapeContext<'_>) -> Result<()> {
    if context.attr("validate_shape")? {
        return shape_fns::merge_inputs(context);
    }
    context.set_output(0, context.input(1).clone());
    Ok(())
}
