//! Shape functions of handles that are references, as the first versions of ops have them.

use oplink::prelude::*;

/// A reference: the shape of the two names that it once was. It is a scalar handle.
pub(super) fn reference(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::new(&[Some(2)]));
    Ok(())
}

/// An error unless an input can be a reference.
pub(super) fn two_names(context: &ShapeContext<'_>, input: usize) -> Result<()> {
    let shape = context.with_rank(input, 1)?;
    context.merge_dim(shape.dim(0), Some(2))?;
    Ok(())
}

/// References, and outputs that are scalars.
pub(super) fn of_references(context: &mut ShapeContext<'_>) -> Result<()> {
    for input in 0..context.num_inputs() {
        two_names(context, input)?;
    }
    shape_fns::scalar(context)
}

/// Handles and other scalars, and outputs that are scalars.
pub(super) fn of_scalars(context: &mut ShapeContext<'_>) -> Result<()> {
    for input in 0..context.num_inputs() {
        context.with_rank(input, 0)?;
    }
    shape_fns::scalar(context)
}
