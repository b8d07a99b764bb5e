//! Where the pixels of a resized image lie in the image.

use oplink::memory::try_collect;
use oplink::prelude::*;

use super::two_extents;

/// Extents from which on not every position is a number of single precision.
const TOO_LARGE: usize = 1 << 24;

/// Where the pixels of the output lie in the input, by the attrs of the op.
#[derive(Debug, Clone, Copy)]
pub struct Alignment {
    /// Whether the corner pixels of both images are the same.
    pub align_corners: bool,
    /// Whether the middle of a pixel is its place.
    pub half_pixel_centers: bool,
}

/// The two positions that a place lies between, and how far from the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// The position before the place, or at it.
    pub lower: usize,
    /// The position behind the place, or at it.
    pub upper: usize,
    /// How far the place is from `lower`, of the way to `upper`.
    pub part: f32,
}

impl Alignment {
    /// Of an op whose attrs exclude each other.
    ///
    /// # Errors
    /// Both are set.
    pub fn new(align_corners: bool, half_pixel_centers: bool) -> Result<Self> {
        ensure!(!(align_corners && half_pixel_centers), "align_corners and half_pixel_centers exclude each other");
        Ok(Self { align_corners, half_pixel_centers })
    }

    /// The distance in the input of neighbours in the output.
    pub fn scale(self, input: usize, output: usize) -> f32 {
        if self.align_corners && input > 1 && output > 1 {
            (input - 1) as f32 / (output - 1) as f32
        } else {
            input as f32 / output as f32
        }
    }

    /// Where a position of the output lies.
    pub fn place(self, position: usize, scale: f32) -> f32 {
        if self.half_pixel_centers { (position as f32 + 0.5) * scale - 0.5 } else { position as f32 * scale }
    }

    /// Where the positions of an axis of the output lie in the input, which has one at least. Neither end falls from
    /// one position to the next.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn between(self, input: usize, output: usize) -> Result<Vec<Between>> {
        let scale = self.scale(input, output);
        try_collect((0..output).map(|position| {
            let place = self.place(position, scale);
            // A place before the first pixel lies on it, one after the last pixel on that.
            Between {
                lower: (place.floor().max(0.0) as usize).min(input - 1),
                upper: (place.ceil().max(0.0) as usize).min(input - 1),
                part: place - place.floor(),
            }
        }))
    }

    /// The position of the input, which has one at least, that is nearest to each of the output. They do not fall.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn nearest(self, input: usize, output: usize) -> Result<Vec<usize>> {
        let scale = self.scale(input, output);
        try_collect((0..output).map(|position| {
            let place = match self.half_pixel_centers {
                true => (position as f32 + 0.5) * scale,
                false => position as f32 * scale,
            };
            let place = if self.align_corners { place.round() } else { place.floor() };
            (place.max(0.0) as usize).min(input - 1)
        }))
    }
}

/// For each position below `count`, and for `count`, the first entry of a list that does not fall which is at it or
/// behind it: the entries at `position` are those from element `position` up to the next.
///
/// # Errors
/// Memory runs out.
pub fn first_after(entries: impl Iterator<Item = usize>, count: usize) -> Result<Vec<u32>> {
    let (mut entries, mut at) = (entries.peekable(), 0);
    try_collect((0..=count).map(|position| {
        while entries.next_if(|&entry| entry < position).is_some() {
            at += 1;
        }
        at
    }))
}

/// The extents of a resize.
#[derive(Debug, Clone, Copy)]
pub struct ResizeExtents {
    /// Images.
    pub batch: usize,
    /// Rows and columns of the images.
    pub input: [usize; 2],
    /// Rows and columns of the resized images.
    pub output: [usize; 2],
    /// Values of a pixel.
    pub channels: usize,
}

impl ResizeExtents {
    /// For images of this shape and a vector with the new rows and columns.
    ///
    /// # Errors
    /// `images` is of another rank or has no pixels or channels, `size` is no pair of numbers above 0.
    pub fn new(images: &Tensor, size: &Tensor) -> Result<Self> {
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

    /// As [`Self::new`], for the nearest pixels, whose places are numbers of single precision.
    ///
    /// # Errors
    /// As for [`Self::new`]; 2^24 rows or columns.
    pub fn of_nearest(images: &Tensor, size: &Tensor) -> Result<Self> {
        let extents = Self::new(images, size)?;
        let fits = extents.input.iter().all(|&extent| extent < TOO_LARGE);
        ensure!(fits, "images must have less than 2^24 rows and columns");
        Ok(extents)
    }

    /// For the gradient of resized images, and the images themselves.
    ///
    /// # Errors
    /// Either is of another rank or has no pixels.
    pub fn of_gradient(grads: &Tensor, original: &Tensor) -> Result<Self> {
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

    /// The shape of the resized images.
    pub fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.output[0], self.output[1], self.channels])
    }

    /// The shape of the images.
    pub fn input_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.input[0], self.input[1], self.channels])
    }

    /// Values of a row of the input.
    pub fn input_row(&self) -> usize {
        self.input[1] * self.channels
    }

    /// Values of a row of the output.
    pub fn output_row(&self) -> usize {
        self.output[1] * self.channels
    }
}

/// The extents of the gradient of nearest pixels: `size` has the rows and columns of the images.
///
/// # Errors
/// `grads` is of another rank, `size` is no pair of numbers above 0.
pub fn nearest_gradient_shape(grads: &Tensor, size: &Tensor) -> Result<ResizeExtents> {
    let &[batch, rows, columns, channels] = grads.shape().dims() else {
        bail!("grads must be of rank 4, their shape is {}", grads.shape())
    };
    Ok(ResizeExtents { batch, input: two_extents("size", size)?, output: [rows, columns], channels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_between_pixels() {
        let plain = Alignment { align_corners: false, half_pixel_centers: false };
        let places = plain.between(2, 4).unwrap();
        let expected = [(0, 0, 0.0), (0, 1, 0.5), (1, 1, 0.0), (1, 1, 0.5)];
        assert_eq!(places, expected.map(|(lower, upper, part)| Between { lower, upper, part }));
        assert_eq!(plain.nearest(2, 5).unwrap(), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn entries_of_each_position() {
        assert_eq!(first_after([0, 0, 1, 3].into_iter(), 5).unwrap(), [0, 2, 3, 3, 4, 4]);
        assert_eq!(first_after(std::iter::empty(), 1).unwrap(), [0, 0]);
    }
}
