//! Shape functions of convolutions over images. Filters are `[rows, columns, in, out]`.

use super::dims::multiply;
use super::window::{ImageAxes, conv_output_size, per_axis, window_dims};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `Conv2D`: channels as many as the filter's `out`; rows and columns by the attrs `strides`, `dilations`, `padding`.
/// The input's channels are a multiple of the filter's `in` (the number of groups), which divides `out`.
///
/// # Errors
/// An input is not of rank 4, the channels do not fit the filter, or an attr of the window is wrong or too large for
/// the input.
pub fn conv2d(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (c.with_rank(0, 4)?, c.with_rank(1, 4)?);
    let axes = window_dims(c)?;
    check_groups(input.dim(axes.channel), filter.dim(2), filter.dim(3))?;
    let shape = convolved(c, &axes, &input, &filter, filter.dim(3))?;
    c.set_output(0, shape);
    Ok(())
}

/// `DepthwiseConv2dNative`: as [`conv2d`] with the filter's `in` equal to the input's channels, each giving `out` ones.
///
/// # Errors
/// An input is not of rank 4, the channels are not those of the filter, or an attr of the window is wrong or too large
/// for the input.
pub fn depthwise_conv2d(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (c.with_rank(0, 4)?, c.with_rank(1, 4)?);
    let axes = window_dims(c)?;
    let depth = c.merge_dim(input.dim(axes.channel), filter.dim(2))?;
    let shape = convolved(c, &axes, &input, &filter, multiply(depth, filter.dim(3))?)?;
    c.set_output(0, shape);
    Ok(())
}

/// `Conv2DBackpropInput`: the shape that input 0 holds, of rank 4, with the batch of input 2. Where input 0 holds rows
/// and columns only, the channels are the filter's `in`.
///
/// # Errors
/// Input 0 is no shape or contradicts the batch of input 2, another input is not of rank 4, or an attr of the window is
/// wrong.
pub fn conv2d_backprop_input(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    let sizes = c.make_shape_from_tensor(0)?;
    let (filter, gradient) = (c.with_rank(1, 4)?, c.with_rank(2, 4)?);
    let axes = window_dims(c)?;
    let batch = PartialShape::new(&[gradient.dim(0), None, None, None]);
    let shape = match sizes.dims() {
        Some(&[rows, columns]) if axes.channel == 1 => PartialShape::new(&[batch.dim(0), filter.dim(2), rows, columns]),
        Some(&[rows, columns]) => PartialShape::new(&[batch.dim(0), rows, columns, filter.dim(2)]),
        _ => {
            let whole = c.merge(&sizes, &batch)?;
            PartialShape::new(&[batch.dim(0), whole.dim(1), whole.dim(2), whole.dim(3)])
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// `Conv2DBackpropFilter`: the shape that input 1 holds, of rank 4.
///
/// # Errors
/// Input 1 is no shape of rank 4.
pub fn conv2d_backprop_filter(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let shape = c.merge(&c.make_shape_from_tensor(1)?, &PartialShape::unknown_of_rank(4))?;
    c.set_output(0, shape);
    Ok(())
}

fn check_groups(depth: Dim, filter_in: Dim, filter_out: Dim) -> Result<()> {
    let (Some(depth), Some(filter_in)) = (depth, filter_in) else { return Ok(()) };
    if filter_in == 0 {
        return Err(shape_error("the depth of the filter must be > 0"));
    }
    if depth % filter_in != 0 {
        return Err(shape_error(format!(
            "the depth of the input ({depth}) is no multiple of that of the filter ({filter_in})"
        )));
    }
    let groups = depth / filter_in;
    match filter_out {
        Some(out) if groups == 0 || out % groups != 0 => Err(shape_error(format!(
            "the depth of the output ({out}) is no multiple of the number of groups ({groups})"
        ))),
        _ => Ok(()),
    }
}

fn convolved(
    c: &ShapeContext<'_>,
    axes: &ImageAxes,
    input: &PartialShape,
    filter: &PartialShape,
    depth: Dim,
) -> Result<PartialShape> {
    let (strides, dilations) = (per_axis(c, "strides")?, per_axis(c, "dilations")?);
    let spatial = |axis: usize| {
        let window = filter.dim(axis - axes.rows);
        conv_output_size(input.dim(axis), window, dilations[axis], strides[axis], axes.padding[axis])
    };
    let of = |axis: usize| match axis {
        0 => Ok(input.dim(0)),
        _ if axis == axes.channel => Ok(depth),
        _ => spatial(axis),
    };
    (0..4).map(of).collect()
}
