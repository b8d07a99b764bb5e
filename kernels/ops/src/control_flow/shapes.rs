//! Shapes of the ops that call functions and of those that steer the dataflow.

use oplink::prelude::*;

/// The shapes in the attr `output_shapes`; unknown where it is empty.
pub(super) fn from_attr(context: &mut ShapeContext<'_>) -> Result<()> {
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    if shapes.is_empty() {
        return Ok(());
    }
    ensure!(
        shapes.len() == context.num_outputs(),
        "attr `output_shapes` has {} shapes for {} outputs",
        shapes.len(),
        context.num_outputs()
    );
    for (index, shape) in shapes.iter().enumerate() {
        context.set_output(index, shape.clone());
    }
    Ok(())
}

/// The shapes in the attr `output_shapes`; those of the inputs where it is empty.
pub(super) fn of_loop(context: &mut ShapeContext<'_>) -> Result<()> {
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    for index in 0..context.num_outputs() {
        pass_handles(context, index, index);
    }
    if !shapes.is_empty() {
        return from_attr(context);
    }
    for index in 0..context.num_outputs() {
        context.set_output(index, context.input(index).clone());
    }
    Ok(())
}

/// Each output has the shape of the first input.
pub(super) fn of_first_input(context: &mut ShapeContext<'_>) -> Result<()> {
    for index in 0..context.num_outputs() {
        context.set_output(index, context.input(0).clone());
        pass_handles(context, 0, index);
    }
    Ok(())
}

/// What an input handle refers to, an output handle refers to as well.
pub(super) fn pass_handles(context: &mut ShapeContext<'_>, input: usize, output: usize) {
    let handles = context.input_handle_shapes(input).to_vec();
    if !handles.is_empty() {
        context.set_output_handle_shapes(output, handles);
    }
}
