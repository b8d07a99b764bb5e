//! Shape functions of optionals.

use oplink::prelude::*;

/// A scalar that holds tensors of the inputs' dtypes and shapes.
pub(super) fn from_value(context: &mut ShapeContext<'_>) -> Result<()> {
    let input = |index| Some((context.input_dtype(index)?, context.input(index).clone()));
    let held = (0..context.num_inputs()).filter_map(input).collect();
    context.set_output(0, PartialShape::scalar());
    context.set_output_handle_shapes(0, held);
    Ok(())
}

/// The shapes in the attr `output_shapes`, one for each output.
pub(super) fn get_value(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    let (given, wanted) = (shapes.len(), context.num_outputs());
    ensure!(given == wanted, "attr `output_shapes` has {given} shapes for {wanted} outputs");
    shapes.iter().enumerate().for_each(|(index, shape)| context.set_output(index, shape.clone()));
    Ok(())
}
