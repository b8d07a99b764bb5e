//! Contrast, hue and saturation of images, and colours as hue, saturation and value.

use oplink::prelude::*;

/// Brings each pixel nearer to its channel's mean in the image, or further away: `mean + (x - mean) * contrast_factor`.
///
/// `images` is [..., rows, columns, channels].
#[op("AdjustContrastv2",
     input = "images: T",
     input = "contrast_factor: float",
     output = "output: T",
     attr = "T: {half, float} = DT_FLOAT",
     shape = contrast_shape)]
pub struct AdjustContrastv2;

/// Scales how far values are from the mean of their channel in the image, and cuts off what is beyond `min_value` and
/// `max_value`.
#[op("AdjustContrast",
     input = "images: T",
     input = "contrast_factor: float",
     input = "min_value: float",
     input = "max_value: float",
     output = "output: float",
     attr = "T: {uint8, int8, int16, int32, int64, float, double}",
     deprecated(since = 2, note = "Use AdjustContrastv2 instead"),
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct AdjustContrast;

/// Turns the hue of each colour by `delta`, of which 1 is the whole circle.
///
/// `images` is [..., 3] of rank 3 at least: red, green and blue.
#[op("AdjustHue",
     input = "images: T",
     input = "delta: float",
     output = "output: T",
     attr = "T: {half, float} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct AdjustHue;

/// Multiplies the saturation of each colour by `scale`, kept between 0 and 1.
///
/// `images` is [..., 3] of rank 3 at least: red, green and blue.
#[op("AdjustSaturation",
     input = "images: T",
     input = "scale: float",
     output = "output: T",
     attr = "T: {half, float} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct AdjustSaturation;

/// Colours of red, green and blue as hue, saturation and value, each between 0 and 1.
///
/// `images` is [..., 3].
#[op("RGBToHSV",
     input = "images: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = color_shape)]
pub struct RGBToHSV;

/// Colours of hue, saturation and value as red, green and blue.
///
/// `images` is [..., 3].
#[op("HSVToRGB", no_gradient,
     input = "images: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = color_shape)]
pub struct HSVToRGB;

fn contrast_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank_at_least(0, 3)?;
    c.with_rank(1, 0)?;
    c.set_output(0, shape);
    Ok(())
}

fn color_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.with_rank_at_least(0, 1)?;
    if let Some(dims) = shape.dims() {
        let channels = c.merge_dim(dims.last().copied().flatten(), Some(3))?;
        let shape = dims[..dims.len() - 1].iter().copied().chain([channels]).collect::<PartialShape>();
        c.set_output(0, shape);
    }
    Ok(())
}
