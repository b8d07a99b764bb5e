//! The extents of boxes that are cut from images.

use oplink::prelude::*;

/// The extents of images that boxes are cut from.
#[derive(Debug, Clone, Copy)]
pub struct CropImages {
    /// Images.
    pub batch: usize,
    /// Rows of each.
    pub rows: usize,
    /// Columns of each.
    pub columns: usize,
    /// Values of a pixel.
    pub channels: usize,
}

impl CropImages {
    /// Of images.
    ///
    /// # Errors
    /// Another rank, or no pixels.
    pub fn new(image: &Tensor) -> Result<Self> {
        let &[batch, rows, columns, channels] = image.shape().dims() else {
            bail!("image must be of rank 4, its shape is {}", image.shape())
        };
        ensure!(rows > 0 && columns > 0, "image must have pixels, its shape is {}", image.shape());
        Ok(Self { batch, rows, columns, channels })
    }

    /// Of images whose extents a vector of int32 holds.
    ///
    /// # Errors
    /// Another shape, an extent below 0, or no pixels.
    pub fn of_size(image_size: &Tensor) -> Result<Self> {
        let shape = image_size.shape();
        ensure!(shape.dims() == [4], "image_size must have shape [4], its shape is {shape}");
        let values = image_size.as_slice::<i32>()?;
        let extents = values.iter().map(|&value| usize::try_from(value)).collect::<Result<Vec<_>, _>>();
        match extents.as_deref() {
            Ok(&[batch, rows, columns, channels]) if rows > 0 && columns > 0 => {
                Ok(Self { batch, rows, columns, channels })
            }
            _ => bail!("image_size must have no extent below 0 and pixels, it is {values:?}"),
        }
    }

    /// Values of one image.
    pub fn size(&self) -> usize {
        self.rows * self.columns * self.channels
    }

    /// Fails unless pixels of gradients have as many values as those of the images, which `name` has.
    ///
    /// # Errors
    /// They have not.
    pub fn check_channels(&self, name: &str, channels: usize) -> Result<()> {
        ensure!(self.channels == channels, "{name} has {} channels, grads have {channels}", self.channels);
        Ok(())
    }
}

/// The extents [boxes, rows, columns, channels] of gradients of crops.
///
/// # Errors
/// Another rank, or no pixels.
pub fn crop_gradients(grads: &Tensor) -> Result<[usize; 4]> {
    let &[count, rows, columns, channels] = grads.shape().dims() else {
        bail!("grads must be of rank 4, their shape is {}", grads.shape())
    };
    ensure!(rows > 0 && columns > 0, "grads must have pixels, their shape is {}", grads.shape());
    Ok([count, rows, columns, channels])
}

/// The number of boxes, each with the number of its image; as many as there are gradients, where `grads` has a number.
///
/// # Errors
/// The shapes do not fit together.
pub fn box_count(boxes: &Tensor, box_ind: &Tensor, grads: Option<usize>) -> Result<usize> {
    ensure!(
        boxes.rank() == 2 && box_ind.rank() == 1,
        "boxes must be a matrix and box_ind a vector, their shapes are {} and {}",
        boxes.shape(),
        box_ind.shape()
    );
    let count = box_ind.num_elements();
    if boxes.num_elements() > 0 || count > 0 {
        let shape = boxes.shape();
        ensure!(shape.dims() == [count, 4], "boxes must have shape [{count}, 4] as box_ind says, it is {shape}");
    }
    if let Some(grads) = grads {
        ensure!(count == grads, "there are {count} boxes, and grads for {grads}");
    }
    Ok(count)
}
