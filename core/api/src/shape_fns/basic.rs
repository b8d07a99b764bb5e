//! Shape functions that pass shapes through, and those of ops that look at shapes only.

use crate::shape_inference::merge_shapes;
use crate::{PartialShape, Result, ShapeContext};

/// Leaves every output's shape unknown.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn unknown(_: &mut ShapeContext<'_>) -> Result<()> {
    Ok(())
}

/// For ops without outputs.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn no_outputs(_: &mut ShapeContext<'_>) -> Result<()> {
    Ok(())
}

/// Every output is a scalar.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn scalar(c: &mut ShapeContext<'_>) -> Result<()> {
    set_all(c, &PartialShape::scalar());
    Ok(())
}

/// Every output has the shape of the first input; with lists of equal length (`IdentityN`), output `i` that of input
/// `i`. What an input handle refers to, the output refers to as well.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn unchanged(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.num_outputs() > 1 && c.num_inputs() == c.num_outputs() {
        (0..c.num_outputs()).for_each(|i| c.set_output(i, c.input(i).clone()));
        (0..c.num_outputs()).for_each(|i| pass_handle(c, i, i));
    } else {
        set_all(c, &c.input(0).clone());
        (0..c.num_outputs()).for_each(|i| pass_handle(c, 0, i));
    }
    Ok(())
}

/// What a handle in an input refers to, one in an output refers to as well.
pub fn pass_handle(c: &mut ShapeContext<'_>, input: usize, output: usize) {
    let held = c.input_handle_shapes(input);
    if !held.is_empty() {
        c.set_output_handle_shapes(output, held.to_vec());
    }
}

/// As [`unchanged`] of one input, whose rank must be `RANK`.
///
/// # Errors
/// The input has another rank.
pub fn unchanged_with_rank<const RANK: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank(0, RANK)?;
    set_all(c, &shape);
    Ok(())
}

/// As [`unchanged`] of one input, whose rank must be at least `RANK`.
///
/// # Errors
/// The input has a smaller rank.
pub fn unchanged_with_rank_at_least<const RANK: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank_at_least(0, RANK)?;
    set_all(c, &shape);
    Ok(())
}

/// As [`unchanged`] of one input, whose rank must be at most `RANK`.
///
/// # Errors
/// The input has a larger rank.
pub fn unchanged_with_rank_at_most<const RANK: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank_at_most(0, RANK)?;
    set_all(c, &shape);
    Ok(())
}

/// All inputs have one shape, which is that of every output (`AddN`, the gradients of activations).
///
/// # Errors
/// The inputs have different shapes.
pub fn merge_inputs(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = PartialShape::unknown();
    for index in (0..c.num_inputs()).rev() {
        shape = merge_shapes(c.input(index), &shape)?;
    }
    set_all(c, &shape);
    Ok(())
}

/// `Shape`: a vector with one element for each dimension of the input.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_n(c)
}

/// `ShapeN`: output `i` is a vector with one element for each dimension of input `i`.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn shape_n(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 0..c.num_inputs() {
        c.set_output(index, PartialShape::new(&[c.input(index).rank()]));
    }
    Ok(())
}

/// `Size`: a scalar.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn size(c: &mut ShapeContext<'_>) -> Result<()> {
    scalar(c)
}

/// `Rank`: a scalar.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn rank(c: &mut ShapeContext<'_>) -> Result<()> {
    scalar(c)
}

fn set_all(c: &mut ShapeContext<'_>, shape: &PartialShape) {
    (0..c.num_outputs()).for_each(|index| c.set_output(index, shape.clone()));
}
