//! Sizes of windowed ops: padding, stride and dilation along one axis, and the attrs that say so.

use super::dims::{add, divide, multiply, subtract};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{Result, ShapeContext};

/// How the ends of an axis are padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Not at all.
    Valid,
    /// So that the output has `ceil(input / stride)` positions; the odd element goes at the end.
    Same,
    /// By these numbers before and after.
    Explicit(usize, usize),
}

/// The positions of a window of `filter` elements, `dilation` apart, moved by `stride` over `input` elements.
///
/// `VALID`: `(input - ((filter - 1) * dilation + 1) + stride) / stride`; `SAME`: `(input + stride - 1) / stride`.
///
/// # Errors
/// Stride or dilation below 1; a window larger than the padded input.
pub fn conv_output_size(input: Dim, filter: Dim, dilation: i64, stride: i64, padding: Padding) -> Result<Dim> {
    let positive = |value: i64, name: &str| match usize::try_from(value) {
        Ok(value) if value > 0 => Ok(value),
        _ => Err(shape_error(format!("{name} must be > 0, it is {value}"))),
    };
    let (stride, dilation) = (positive(stride, "stride")?, positive(dilation, "dilation rate")?);
    let padded = match padding {
        Padding::Same => return divide(add(input, Some(stride - 1))?, stride),
        Padding::Valid => input,
        Padding::Explicit(before, after) => add(input, add(Some(before), Some(after))?)?,
    };
    let window = match filter {
        Some(1..) if dilation > 1 => add(multiply(subtract(filter, Some(1))?, Some(dilation))?, Some(1))?,
        filter => filter,
    };
    divide(add(subtract(padded, window)?, Some(stride))?, stride)
}

/// Where the axes of a 4-D image stand, and the padding of each, from the attrs `data_format`, `padding`,
/// `explicit_paddings` and `padding_list`, which, where it has a number other than 0, takes the place of `padding`.
#[derive(Clone, Copy, Debug)]
pub struct ImageAxes {
    /// The channel axis.
    pub channel: usize,
    /// The axis of rows; columns follow.
    pub rows: usize,
    /// Padding of each axis, in the order of the data format.
    pub padding: [Padding; 4],
}

/// The axes of the op's image input.
///
/// # Errors
/// An unknown format or padding; `explicit_paddings` without `EXPLICIT`, or not 8 numbers >= 0 that are 0 for batch and
/// channels; `padding_list` with a number other than 0 that is not such.
pub fn window_dims(c: &ShapeContext<'_>) -> Result<ImageAxes> {
    let (channel, rows) = match c.attr::<&str>("data_format").unwrap_or("NHWC") {
        "NHWC" => (3, 1),
        "NCHW" => (1, 2),
        other => return Err(shape_error(format!("data_format {other} is not supported; it is NHWC or NCHW"))),
    };
    let explicit = c.attr::<&[i64]>("explicit_paddings").unwrap_or_default();
    let list = c.attr::<&[i64]>("padding_list").unwrap_or_default();
    let is_listed = list.iter().any(|&positions| positions != 0);
    let (padding, explicit) = if is_listed { ("EXPLICIT", list) } else { (c.attr::<&str>("padding")?, explicit) };
    let padding = match padding {
        "EXPLICIT" => explicit_paddings(explicit, channel)?,
        other if !explicit.is_empty() => {
            return Err(shape_error(format!("explicit_paddings must be empty if padding is {other}")));
        }
        "SAME" => [Padding::Same; 4],
        "VALID" => [Padding::Valid; 4],
        other => return Err(shape_error(format!("padding {other} is not one of SAME, VALID, EXPLICIT"))),
    };
    Ok(ImageAxes { channel, rows, padding })
}

fn explicit_paddings(values: &[i64], channel: usize) -> Result<[Padding; 4]> {
    if values.len() != 8 || values.iter().any(|&v| v < 0) {
        return Err(shape_error(format!("explicit_paddings must be 8 numbers >= 0, they are {values:?}")));
    }
    if [0, 1, 2 * channel, 2 * channel + 1].iter().any(|&at| values[at] != 0) {
        return Err(shape_error(format!("explicit_paddings of batch and channels must be 0, they are {values:?}")));
    }
    let axis = |i: usize| Padding::Explicit(values[2 * i] as usize, values[2 * i + 1] as usize);
    Ok([axis(0), axis(1), axis(2), axis(3)])
}

/// A `list(int)` attr with one number for each axis of an image.
pub(super) fn per_axis(c: &ShapeContext<'_>, name: &str) -> Result<[i64; 4]> {
    let values = c.attr::<&[i64]>(name)?;
    values.try_into().map_err(|_| shape_error(format!("{name} must have 4 elements, it is {values:?}")))
}
