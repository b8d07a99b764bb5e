//! Images of another size, and the gradients.
//!
//! `images` is [batch, rows, columns, channels], `size` the new rows and columns. A pixel of the output lies at
//! `x * scale` of the input, where `scale` is `input / output`, or `(input - 1) / (output - 1)` with `align_corners`
//! where both are more than 1; with `half_pixel_centers` at `(x + 0.5) * scale - 0.5`. Both attrs together are an
//! error, as are an image without pixels or channels and a size below 1.

use oplink::prelude::*;

use super::sized::{extent, of_second, resized};

/// Resizes images, each pixel interpolated linearly among the four around its place.
///
/// In single precision, whatever the dtype of `images`.
#[op("ResizeBilinear",
     input = "images: T",
     input = "size: int32",
     output = "resized_images: float",
     attr = "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = resized)]
pub struct ResizeBilinear;

/// The gradient of `ResizeBilinear`, for images of the shape of `original_image`.
///
/// Gradients of 16-bit floats are summed in f32.
#[op("ResizeBilinearGrad", no_gradient,
     input = "grads: float",
     input = "original_image: T",
     output = "output: T",
     attr = "T: {float, bfloat16, half, double}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = of_second)]
pub struct ResizeBilinearGrad;

/// Resizes images, each pixel that of the input nearest to its place.
///
/// The nearest one is the one that the place lies in; with `align_corners` the one whose corner is nearest. Images have
/// less than 2^24 rows and columns.
#[op("ResizeNearestNeighbor",
     input = "images: T",
     input = "size: int32",
     output = "resized_images: T",
     attr = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = resized)]
pub struct ResizeNearestNeighbor;

/// The gradient of `ResizeNearestNeighbor`, for images with the rows and columns that `size` holds.
#[op("ResizeNearestNeighborGrad",
     input = "grads: T",
     input = "size: int32",
     output = "output: T",
     attr = "T: {uint8, int8, int32, half, float, double, bfloat16}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = nearest_grad_shape)]
pub struct ResizeNearestNeighborGrad;

/// Resizes images, each pixel interpolated by cubic polynomials among the sixteen around its place.
///
/// The polynomials are Keys' cubic convolution with the parameter -0.75 and edges repeated, or, with
/// `half_pixel_centers`, with -0.5 and pixels outside of the image left out. Their coefficients are those of the
/// nearest of 1024 steps between two pixels. In single precision.
#[op("ResizeBicubic",
     input = "images: T",
     input = "size: int32",
     output = "resized_images: float",
     attr = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = resized)]
pub struct ResizeBicubic;

/// The gradient of `ResizeBicubic`, for images of the shape of `original_image`.
#[op("ResizeBicubicGrad",
     input = "grads: float",
     input = "original_image: T",
     output = "output: T",
     attr = "T: {float, double}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = of_second)]
pub struct ResizeBicubicGrad;

/// Resizes images, each pixel the mean of the area that it covers in the input.
///
/// A pixel of the input that is covered in part counts for that part. In single precision.
#[op("ResizeArea",
     input = "images: T",
     input = "size: int32",
     output = "resized_images: float",
     attr = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}",
     attr = "align_corners: bool = false",
     shape = resized)]
pub struct ResizeArea;

fn nearest_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let grads = c.with_rank(0, 4)?;
    c.merge_dim(c.with_rank(1, 1)?.dim(0), Some(2))?;
    let [rows, columns] = match c.constant_ints(1)?.as_deref() {
        Some(&[rows, columns]) => [extent(rows)?, extent(columns)?],
        _ => [None, None],
    };
    c.set_output(0, PartialShape::new(&[grads.dim(0), rows, columns, grads.dim(3)]));
    Ok(())
}

/// Resizes images of quantized numbers, each pixel interpolated linearly among the four around its place; the range
/// stays.
///
/// Bytes are interpolated in steps of 1/128 between two pixels; 32-bit numbers, rounded to single precision, in steps
/// of 2^-30; floats as they are. Both attrs may be set together.
#[op("QuantizedResizeBilinear",
     input = "images: T",
     input = "size: int32",
     input = "min: float",
     input = "max: float",
     output = "resized_images: T",
     output = "out_min: float",
     output = "out_max: float",
     attr = "T: {quint8, qint32, float}",
     attr = "align_corners: bool = false",
     attr = "half_pixel_centers: bool = false",
     shape = quantized)]
pub struct QuantizedResizeBilinear;

fn quantized(c: &mut ShapeContext<'_>) -> Result<()> {
    for end in [2, 3] {
        c.with_rank(end, 0)?;
    }
    resized(c)?;
    c.set_output(1, PartialShape::scalar());
    c.set_output(2, PartialShape::scalar());
    Ok(())
}
