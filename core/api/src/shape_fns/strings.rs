//! Shape functions of ops on strings.

use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

use super::broadcast::broadcast_partial;

/// `RegexReplace` and its like: the shape of input 0; all other inputs are scalars.
///
/// # Errors
/// An input after the first is no scalar.
pub fn regex(c: &mut ShapeContext<'_>) -> Result<()> {
    (1..c.num_inputs()).try_for_each(|index| c.with_rank(index, 0).map(drop))?;
    c.set_output(0, c.input(0).clone());
    Ok(())
}

/// `StringJoin`: the one shape of the inputs that are no scalars; a scalar where all are.
///
/// # Errors
/// Inputs that are no scalars have different shapes.
pub fn string_join(c: &mut ShapeContext<'_>) -> Result<()> {
    let is_scalar = |index: &usize| c.input(*index).rank() == Some(0);
    if (0..c.num_inputs()).all(|index| is_scalar(&index)) {
        c.set_output(0, PartialShape::scalar());
        return Ok(());
    }
    let mut shape = PartialShape::unknown();
    for index in (0..c.num_inputs()).filter(|index| !is_scalar(index)) {
        shape = merge_shapes(&shape, c.input(index))?;
    }
    c.set_output(0, shape);
    Ok(())
}

/// `StringSplitV2`: positions [parts, 2], parts and a dense shape of 2, from a vector and a scalar.
///
/// # Errors
/// Input 0 is no vector, or input 1 no scalar.
pub fn string_split_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 0)?;
    c.set_output(0, PartialShape::new(&[None, Some(2)]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[Some(2)]));
    Ok(())
}

/// `StringNGrams`: a vector, and row splits of the length of those in input 1.
///
/// # Errors
/// An input is no vector.
pub fn string_n_grams(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    let splits = c.with_rank(1, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, splits);
    Ok(())
}

/// `Substr`: inputs 1 and 2 have one shape, which broadcasts with that of input 0.
///
/// # Errors
/// The shapes of the inputs 1 and 2 differ, or do not broadcast with that of input 0.
pub fn substr(c: &mut ShapeContext<'_>) -> Result<()> {
    merge_shapes(c.input(1), c.input(2))?;
    let shape = broadcast_partial(c.input(0), c.input(1))?;
    c.set_output(0, shape);
    Ok(())
}

/// `DecodeRaw`: the shape of input 0 and one more axis.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn decode_raw(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = c.input(0).clone();
    shape.push(None);
    c.set_output(0, shape);
    Ok(())
}

/// `UnicodeDecode`: row splits, one more than input 0 has elements, and a vector.
///
/// # Errors
/// None; the signature is that of shape functions.
pub fn unicode_decode(c: &mut ShapeContext<'_>) -> Result<()> {
    let splits = c.input(0).num_elements().map(|count| count + 1);
    c.set_output(0, PartialShape::new(&[splits]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// `UnicodeEncode`: a vector, one shorter than the row splits in input 1.
///
/// # Errors
/// An input is no vector, or the row splits are empty.
pub fn unicode_encode(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    let splits = c.with_rank(1, 1)?.dim(0);
    if splits == Some(0) {
        return Err(shape_error("input_splits must not be empty"));
    }
    c.set_output(0, PartialShape::new(&[splits.map(|count| count - 1)]));
    Ok(())
}

/// `PrintV2`: a scalar, and no output.
///
/// # Errors
/// The input is no scalar.
pub fn print_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0).map(drop)
}
