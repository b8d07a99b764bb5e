//! Boxes cut from images and brought to one size, and the gradients.
//!
//! A box is `[y1, x1, y2, x2]` in parts of the image: 0 is the first row or column, 1 the last. `box_ind` has the image
//! of each box. Boxes may be turned over, and reach outside of the image.

use oplink::prelude::*;

use super::sized::sized_image;

attr_enum! {
    /// How values between pixels are made.
    pub enum CropMethod { Bilinear = "bilinear", Nearest = "nearest" }
}

/// Cuts boxes from images and resizes them to `crop_size`.
///
/// Pixels outside of the image have `extrapolation_value`. In single precision. Boxes that are not finite and numbers
/// of images that there are none of are errors.
#[op("CropAndResize",
     input = "image: T",
     input = "boxes: float",
     input = "box_ind: int32",
     input = "crop_size: int32",
     output = "crops: float",
     attr = "T: {uint8, uint16, int8, int16, int32, int64, half, float, double}",
     attr = "method: {'bilinear', 'nearest'} = 'bilinear'",
     attr = "extrapolation_value: float = 0.0",
     enums(method = CropMethod),
     shape = crop_shape)]
pub struct CropAndResize;

/// The gradient of `CropAndResize` by the image, which has the shape that `image_size` holds.
#[op("CropAndResizeGradImage",
     input = "grads: float",
     input = "boxes: float",
     input = "box_ind: int32",
     input = "image_size: int32",
     output = "output: T",
     attr = "T: {float, half, double}",
     attr = "method: {'bilinear', 'nearest'} = 'bilinear'",
     enums(method = CropMethod),
     shape = image_grad_shape)]
pub struct CropAndResizeGradImage;

/// The gradient of `CropAndResize` by the boxes, of the method `bilinear`.
#[op("CropAndResizeGradBoxes",
     input = "grads: float",
     input = "image: T",
     input = "boxes: float",
     input = "box_ind: int32",
     output = "output: float",
     attr = "T: {uint8, uint16, int8, int16, int32, int64, half, float, double}",
     attr = "method: {'bilinear'} = 'bilinear'",
     shape = box_grad_shape)]
pub struct CropAndResizeGradBoxes;

fn crop_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (image, boxes, box_ind) = (c.with_rank(0, 4)?, c.with_rank(1, 2)?, c.with_rank(2, 1)?);
    let count = c.merge_dim(boxes.dim(0), box_ind.dim(0))?;
    c.merge_dim(boxes.dim(1), Some(4))?;
    let shape = sized_image(c, count, 3, image.dim(3))?;
    c.set_output(0, shape);
    Ok(())
}

fn image_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(3)?;
    let shape = c.merge(&shape, &PartialShape::unknown_of_rank(4))?;
    c.set_output(0, shape);
    Ok(())
}

fn box_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(2).clone();
    c.set_output(0, shape);
    Ok(())
}
