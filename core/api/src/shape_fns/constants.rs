//! Shape functions of ops that state their shape in an attr.

use crate::{PartialShape, Result, ShapeContext, Tensor};

/// `Const`: the shape of the tensor in the attr `value`.
///
/// # Errors
/// There is no attr `value`.
pub fn constant(c: &mut ShapeContext<'_>) -> Result<()> {
    let value = c.attr::<&Tensor>("value")?;
    c.set_output(0, value.shape());
    Ok(())
}

/// `Placeholder`: the attr `shape`. Graphs of before GraphDef version 24 wrote an unknown shape as a scalar; the
/// importer settles that.
///
/// # Errors
/// There is no attr `shape`.
pub fn placeholder(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.attr::<&PartialShape>("shape")?;
    c.set_output(0, shape.clone());
    Ok(())
}

/// `PlaceholderWithDefault`: the attr `shape`, which input 0 must satisfy. The attr counts, since what is fed in place
/// of the default only has to satisfy the attr.
///
/// # Errors
/// There is no attr `shape`, or the input contradicts it.
pub fn placeholder_with_default(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.attr::<&PartialShape>("shape")?;
    c.merge(c.input(0), shape)?;
    c.set_output(0, shape.clone());
    Ok(())
}

/// `EnsureShape`: what input 0 and the attr `shape` say together.
///
/// # Errors
/// There is no attr `shape`, or the input contradicts it.
pub fn ensure_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.merge(c.attr::<&PartialShape>("shape")?, c.input(0))?;
    c.set_output(0, shape);
    Ok(())
}
