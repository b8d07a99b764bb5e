//! Images scaled and moved, sampled by a kernel, and the gradient.

use oplink::prelude::*;

use super::sized::{of_second, resized};

/// Scales and moves images, each pixel a weighted mean of those around its place.
///
/// A pixel at `x` of the output has its centre at `(x + 0.5 - translation) / scale` of the input; where that is outside
/// of the image, it is 0. `kernel_type` names the weights by distance: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`,
/// `box`, `triangle`, `keyscubic` or `mitchellcubic`; they add up to 1. With `antialias` the kernel is as much wider as
/// the image becomes smaller. `scale` and `translation` hold a number for rows and one for columns. In single
/// precision. A scale that is not > 0 is an error.
#[op("ScaleAndTranslate",
     input = "images: T",
     input = "size: int32",
     input = "scale: float",
     input = "translation: float",
     output = "resized_images: float",
     attr = "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}",
     attr = "kernel_type: string = 'lanczos3'",
     attr = "antialias: bool = true",
     shape = resized)]
pub struct ScaleAndTranslate;

/// The gradient of `ScaleAndTranslate`, for images of the shape of `original_image`.
#[op("ScaleAndTranslateGrad",
     input = "grads: T",
     input = "original_image: T",
     input = "scale: float",
     input = "translation: float",
     output = "output: T",
     attr = "T: {float}",
     attr = "kernel_type: string = 'lanczos3'",
     attr = "antialias: bool = true",
     shape = of_second)]
pub struct ScaleAndTranslateGrad;
