//! Images seen through a projective transform.
//!
//! A pixel of the output at (x, y) is that of the input at `((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k)` with
//! `k = c0 x + c1 y + 1`; `transforms` has `[a0, a1, a2, b0, b1, b2, c0, c1]` for each image, or once for all.
//! `interpolation` is `NEAREST` or `BILINEAR`. Places outside of the image have the fill value (`CONSTANT`), or the
//! pixel that is there when the image is mirrored (`REFLECT`), repeated (`WRAP`) or stretched at its edge (`NEAREST`),
//! as the attr `fill_mode` says.

use oplink::prelude::*;

use super::sized::sized_image;

/// Transforms images; outside of them is 0.
#[op("ImageProjectiveTransformV2",
     input = "images: dtype",
     input = "transforms: float",
     input = "output_shape: int32",
     output = "transformed_images: dtype",
     attr = "dtype: {uint8, int32, int64, half, bfloat16, float, double}",
     attr = "interpolation: string",
     attr = "fill_mode: string = 'CONSTANT'",
     shape = transformed_shape)]
pub struct ImageProjectiveTransformV2;

/// Transforms images; outside of them is `fill_value`.
#[op("ImageProjectiveTransformV3",
     input = "images: dtype",
     input = "transforms: float",
     input = "output_shape: int32",
     input = "fill_value: float",
     output = "transformed_images: dtype",
     attr = "dtype: {uint8, int32, int64, half, bfloat16, float, double}",
     attr = "interpolation: string",
     attr = "fill_mode: string = 'CONSTANT'",
     shape = transformed_shape)]
pub struct ImageProjectiveTransformV3;

fn transformed_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let images = c.with_rank(0, 4)?;
    let shape = sized_image(c, images.dim(0), 2, images.dim(3))?;
    c.set_output(0, shape);
    Ok(())
}
