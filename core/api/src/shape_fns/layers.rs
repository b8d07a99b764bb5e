//! Shape functions of gradients of layers and of pooling over volumes.

use super::joins::replace_dim;
use super::window::{Padding, conv_output_size};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `FusedBatchNormGrad`, `V2` and `V3`: `x_backprop` has the shape of `y_backprop`, the next two are vectors as long as
/// its channel axis, the last two are empty.
///
/// # Errors
/// An input has another rank, or the numbers of channels differ.
pub fn fused_batch_norm_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let format = c.attr::<&str>("data_format").unwrap_or("NHWC");
    let channel = format.find('C').unwrap_or(format.len() - 1);
    let (gradient, x) = (c.with_rank(0, format.len())?, c.with_rank(1, format.len())?);
    let channels = c.merge_dim(gradient.dim(channel), x.dim(channel))?;
    let channels = (2..5).try_fold(channels, |dim: Dim, index| c.merge_dim(dim, c.with_rank(index, 1)?.dim(0)))?;
    c.set_output(0, replace_dim(&gradient, channel, channels));
    (1..3).for_each(|index| c.set_output(index, PartialShape::new(&[channels])));
    (3..5).for_each(|index| c.set_output(index, PartialShape::new(&[Some(0)])));
    Ok(())
}

/// `MaxPoolGradGrad`: the shape that pooling gives input 0, which input 1 has; input 2 has that of input 0.
///
/// # Errors
/// As [`max_pool`](super::max_pool); the shapes of the inputs do not fit the pooling.
pub fn max_pool_grad_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    super::max_pool(c)?;
    check_second_gradient(c)
}

/// `MaxPoolGradGradV2`: as [`max_pool_grad_grad`] with the window in the inputs 3 and 4.
///
/// # Errors
/// As [`max_pool_v2`]; the shapes of the inputs do not fit the pooling.
pub fn max_pool_grad_grad_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    pooled_by_inputs(c, 3)?;
    check_second_gradient(c)
}

/// `MaxPool3DGrad`: the shape of the pooling's input, input 0, of rank 5.
///
/// # Errors
/// The input is not of rank 5.
pub fn max_pool3d_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    super::unchanged_with_rank::<5>(c)
}

/// `MaxPool3DGradGrad`: as [`max_pool_grad_grad`] over volumes.
///
/// # Errors
/// As [`pool3d`]; the shapes of the inputs do not fit the pooling.
pub fn max_pool3d_grad_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    pool3d(c)?;
    check_second_gradient(c)
}

/// `AvgPool3DGrad`: the shape that input 0 holds, of rank 5.
///
/// # Errors
/// Input 0 is no shape of rank 5.
pub fn avg_pool3d_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.merge(&c.make_shape_from_tensor(0)?, &PartialShape::unknown_of_rank(5))?;
    c.set_output(0, shape);
    Ok(())
}

/// `MaxPool3D` and `AvgPool3D`: windows along planes, rows and columns.
///
/// # Errors
/// The input is not of rank 5, or an attr of the window is wrong or too large for the input.
pub fn pool3d(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 5)?;
    let first = if c.attr::<&str>("data_format").unwrap_or("NDHWC") == "NCDHW" { 2 } else { 1 };
    let (sizes, strides) = (five(c, "ksize")?, five(c, "strides")?);
    let padding = padding(c)?;
    let of = |axis: usize| match axis.checked_sub(first) {
        Some(0..3) => conv_output_size(input.dim(axis), usize::try_from(sizes[axis]).ok(), 1, strides[axis], padding),
        _ => Ok(input.dim(axis)),
    };
    let shape = (0..5).map(of).collect::<Result<PartialShape>>()?;
    c.set_output(0, shape);
    Ok(())
}

/// `Conv3D`: channels as many as the filter's last axis; planes, rows and columns by the attrs.
///
/// # Errors
/// An input is not of rank 5, the channels are not those of the filter, or an attr of the window is wrong or too large
/// for the input.
pub fn conv3d(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (c.with_rank(0, 5)?, c.with_rank(1, 5)?);
    let channels_first = c.attr::<&str>("data_format").unwrap_or("NDHWC") == "NCDHW";
    let (channel, first) = if channels_first { (1, 2) } else { (4, 1) };
    c.merge_dim(input.dim(channel), filter.dim(3))?;
    let (strides, dilations, padding) = (five(c, "strides")?, five(c, "dilations")?, padding(c)?);
    let of = |axis: usize| match axis {
        0 => Ok(input.dim(0)),
        axis if axis == channel => Ok(filter.dim(4)),
        axis => {
            let window = filter.dim(axis - first);
            conv_output_size(input.dim(axis), window, dilations[axis], strides[axis], padding)
        }
    };
    let shape = (0..5).map(of).collect::<Result<PartialShape>>()?;
    c.set_output(0, shape);
    Ok(())
}

/// `Conv3DBackpropFilterV2`: the shape that input 1 holds, of rank 5.
///
/// # Errors
/// Input 1 is no shape of rank 5.
pub fn conv3d_backprop_filter(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.merge(&c.make_shape_from_tensor(1)?, &PartialShape::unknown_of_rank(5))?;
    c.set_output(0, shape);
    Ok(())
}

/// `Conv3DBackpropInputV2`: the shape that input 0 holds, of rank 5.
///
/// # Errors
/// Input 0 is no shape of rank 5.
pub fn conv3d_backprop_input(c: &mut ShapeContext<'_>) -> Result<()> {
    avg_pool3d_grad(c)
}

fn check_second_gradient(c: &ShapeContext<'_>) -> Result<()> {
    c.merge(c.input(0), c.input(2))?;
    c.merge(c.input(1), &c.output_shapes()[0]).map(drop)
}

/// A `list(int)` attr with one number for each axis of a volume.
fn five(c: &ShapeContext<'_>, name: &str) -> Result<[i64; 5]> {
    let values = c.attr::<&[i64]>(name)?;
    values.try_into().map_err(|_| shape_error(format!("{name} must have 5 elements, it is {values:?}")))
}

fn padding(c: &ShapeContext<'_>) -> Result<Padding> {
    match c.attr::<&str>("padding")? {
        "SAME" => Ok(Padding::Same),
        "VALID" => Ok(Padding::Valid),
        other => Err(shape_error(format!("padding {other} is not one of SAME, VALID"))),
    }
}

/// `MaxPoolV2`: as `MaxPool`, where the inputs 1 and 2 that hold the window's size and strides are constant; else
/// unknown.
///
/// # Errors
/// Input 0 is not of rank 4, the window's size or strides have not four elements, or they are wrong or too large for
/// the input.
pub fn max_pool_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    pooled_by_inputs(c, 1)
}

/// Windows of the size that input `at` holds, with the strides of the next one.
fn pooled_by_inputs(c: &mut ShapeContext<'_>, at: usize) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    let (Some(sizes), Some(strides)) = (c.constant_ints(at)?, c.constant_ints(at + 1)?) else {
        c.set_output(0, PartialShape::unknown());
        return Ok(());
    };
    let four = |name: &str, values: Vec<i64>| {
        <[i64; 4]>::try_from(values)
            .map_err(|values| shape_error(format!("{name} must have 4 elements, it is {values:?}")))
    };
    let (sizes, strides) = (four("ksize", sizes)?, four("strides", strides)?);
    let padding = padding(c)?;
    let of = |axis: usize| match axis {
        0 => Ok(input.dim(0)),
        axis => conv_output_size(input.dim(axis), usize::try_from(sizes[axis]).ok(), 1, strides[axis], padding),
    };
    let shape = (0..4).map(of).collect::<Result<PartialShape>>()?;
    c.set_output(0, shape);
    Ok(())
}
