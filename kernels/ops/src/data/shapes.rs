//! Shape functions of ops that give elements.

use oplink::prelude::*;

/// The shapes in the attr `output_shapes`, one for each output.
pub(super) fn from_attr(context: &mut ShapeContext<'_>) -> Result<()> {
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    let (given, wanted) = (shapes.len(), context.num_outputs());
    ensure!(given == wanted, "attr `output_shapes` has {given} shapes for {wanted} outputs");
    shapes.iter().enumerate().for_each(|(index, shape)| context.set_output(index, shape.clone()));
    Ok(())
}

/// A vector of a length that only the kernel knows.
pub(super) fn vector(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::new(&[None]));
    Ok(())
}
