//! Shape functions of pooling over images: the attrs `ksize`, `strides`, `padding` and `data_format`.

use super::window::{conv_output_size, per_axis, window_dims};
use crate::{PartialShape, Result, ShapeContext};

/// `MaxPool`: windows along rows, columns and channels. All outputs have one shape.
///
/// # Errors
/// The input is not of rank 4, or an attr of the window is wrong or too large for the input.
pub fn max_pool(c: &mut ShapeContext<'_>) -> Result<()> {
    pooled(c, true)
}

/// `AvgPool`: windows along rows and columns.
///
/// # Errors
/// The input is not of rank 4, or an attr of the window is wrong or too large for the input.
pub fn avg_pool(c: &mut ShapeContext<'_>) -> Result<()> {
    pooled(c, false)
}

/// As [`max_pool`], for any pooling of images.
///
/// # Errors
/// The input is not of rank 4, or an attr of the window is wrong or too large for the input.
pub fn pool(c: &mut ShapeContext<'_>) -> Result<()> {
    pooled(c, true)
}

/// `MaxPoolGrad`: the shape of the pooled input, input 0, of rank 4.
///
/// # Errors
/// The input is not of rank 4.
pub fn max_pool_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    super::unchanged_with_rank::<4>(c)
}

/// `AvgPoolGrad`: the shape that input 0 holds, of rank 4.
///
/// # Errors
/// Input 0 is no shape of rank 4.
pub fn avg_pool_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    let shape = c.merge(&c.make_shape_from_tensor(0)?, &PartialShape::unknown_of_rank(4))?;
    c.set_output(0, shape);
    Ok(())
}

fn pooled(c: &mut ShapeContext<'_>, channels: bool) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    let axes = window_dims(c)?;
    let (sizes, strides) = (per_axis(c, "ksize")?, per_axis(c, "strides")?);
    let of = |axis: usize| {
        if axis == 0 || (axis == axes.channel && !channels) {
            return Ok(input.dim(axis));
        }
        let window = usize::try_from(sizes[axis]).ok();
        conv_output_size(input.dim(axis), window, 1, strides[axis], axes.padding[axis])
    };
    let shape = (0..4).map(of).collect::<Result<PartialShape>>()?;
    (0..c.num_outputs()).for_each(|index| c.set_output(index, shape.clone()));
    Ok(())
}
