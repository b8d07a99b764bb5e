//! Images of another size: what all methods have in common.

mod area;
mod bicubic;
mod bilinear;
mod nearest;
mod quantized;

use oplink::prelude::*;

pub use area::*;
pub use bicubic::*;
pub use bilinear::*;
pub use nearest::*;
pub use quantized::*;

use crate::floats::two_extents;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// Where the pixels of the output lie in the input.
#[derive(Debug, Clone, Copy)]
struct Alignment {
    align_corners: bool,
    half_pixel_centers: bool,
}

impl Alignment {
    fn new(align_corners: bool, half_pixel_centers: bool) -> Result<Self> {
        ensure!(!(align_corners && half_pixel_centers), "align_corners and half_pixel_centers exclude each other");
        Ok(Self { align_corners, half_pixel_centers })
    }

    /// The distance in the input of neighbours in the output.
    fn scale(self, input: usize, output: usize) -> f32 {
        if self.align_corners && input > 1 && output > 1 {
            (input - 1) as f32 / (output - 1) as f32
        } else {
            input as f32 / output as f32
        }
    }

    /// Where a position of the output lies.
    fn place(self, position: usize, scale: f32) -> f32 {
        if self.half_pixel_centers { (position as f32 + 0.5) * scale - 0.5 } else { position as f32 * scale }
    }
}

/// The extents of a resize.
#[derive(Debug, Clone, Copy)]
struct Extents {
    batch: usize,
    input: [usize; 2],
    output: [usize; 2],
    channels: usize,
}

impl Extents {
    /// For images of this shape and a vector with the new rows and columns.
    fn new(images: &Tensor, size: &Tensor) -> Result<Self> {
        let &[batch, rows, columns, channels] = images.shape().dims() else {
            bail!("images must be of rank 4, their shape is {}", images.shape())
        };
        ensure!(
            rows > 0 && columns > 0 && channels > 0,
            "images must have pixels and channels, their shape is {}",
            images.shape()
        );
        Ok(Self { batch, input: [rows, columns], output: two_extents("size", size)?, channels })
    }

    /// For the gradient of resized images, and the images themselves.
    fn of_gradient(grads: &Tensor, original: &Tensor) -> Result<Self> {
        let (&[batch, rows, columns, channels], &[_, original_rows, original_columns, _]) =
            (grads.shape().dims(), original.shape().dims())
        else {
            bail!(
                "grads and original_image must be of rank 4, their shapes are {} and {}",
                grads.shape(),
                original.shape()
            )
        };
        let (input, output) = ([original_rows, original_columns], [rows, columns]);
        ensure!(
            input.iter().chain(&output).all(|&extent| extent > 0),
            "grads and original_image must have pixels, their shapes are {} and {}",
            grads.shape(),
            original.shape()
        );
        Ok(Self { batch, input, output, channels })
    }

    fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.output[0], self.output[1], self.channels])
    }

    fn input_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.input[0], self.input[1], self.channels])
    }

    /// Values of a row of the input.
    fn input_row(&self) -> usize {
        self.input[1] * self.channels
    }

    /// Values of a row of the output.
    fn output_row(&self) -> usize {
        self.output[1] * self.channels
    }
}
