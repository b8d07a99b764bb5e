//! Convolutions over images, as devices with a library for them take them.

use crate::{DType, Error, Result, Tensor};

/// A convolution over images, or one of its gradients: which it is, and all extents.
///
/// The tensors are dense. Images are `[batch, rows, columns, depth]` where `channels_last`, else
/// `[batch, depth, rows, columns]`; outputs are images of `out_depth` channels. The filter is
/// `[out_depth, rows, columns, depth / groups]` or `[out_depth, depth / groups, rows, columns]`, with its channels
/// where those of the images are. The channels of group `g` of the output are made of those of group `g` of the input.
/// An output is the sum of filter elements times the image's at `position * stride + tap * dilation - padding`, and of
/// zeros beyond the image: the filter is not turned around.
///
/// Sums are taken in single precision at least, in double precision for f64; for f32 products are not rounded to fewer
/// bits than f32 has.
///
/// Zeros stand on both sides of an axis alike: a kernel whose window reaches further on one side puts the rest of the
/// zeros around a copy of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConvolutionSpec {
    /// Which of the three tensors is computed of the other two.
    pub result: ConvolutionResult,
    /// The dtype of all three tensors.
    pub dtype: DType,
    /// Whether the channels are the last axis of images, else the one after the batch.
    pub channels_last: bool,
    /// Images.
    pub batch: usize,
    /// Channels of an image.
    pub depth: usize,
    /// Channels of an output.
    pub out_depth: usize,
    /// Parts of the channels that are convolved by themselves; both numbers of channels are multiples of it.
    pub groups: usize,
    /// How the filter moves along the rows.
    pub rows: ConvolutionAxis,
    /// How the filter moves along the columns.
    pub columns: ConvolutionAxis,
}

/// What is computed of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvolutionResult {
    /// The output, of the image and the filter.
    Output,
    /// The gradient with respect to the image, of the filter and the output's gradient.
    Image,
    /// The gradient with respect to the filter, of the image and the output's gradient.
    Filter,
}

/// How a filter moves along one axis of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConvolutionAxis {
    /// Extent of the image.
    pub input: usize,
    /// Extent of the output: what [`output_extent`](Self::output_extent) says.
    pub output: usize,
    /// Extent of the filter.
    pub window: usize,
    /// Positions between neighbouring outputs.
    pub stride: usize,
    /// Positions between neighbouring elements of the filter.
    pub dilation: usize,
    /// Zeros before the image, and as many behind it.
    pub padding: usize,
}

impl ConvolutionAxis {
    /// How many outputs there are; `None` where the filter is longer than the image with its zeros, or something that
    /// must be at least 1 is 0.
    pub fn output_extent(&self) -> Option<usize> {
        let reach = self.window.checked_sub(1)?.checked_mul(self.dilation)?.checked_add(1)?;
        let padded = self.padding.checked_mul(2)?.checked_add(self.input)?;
        let steps = padded.checked_sub(reach)?.checked_div(self.stride)?;
        (self.dilation > 0).then(|| steps + 1)
    }
}

impl ConvolutionSpec {
    /// The shape of the images.
    pub fn image_shape(&self) -> [usize; 4] {
        self.ordered(self.batch, [self.rows.input, self.columns.input], self.depth)
    }

    /// The shape of the filter.
    pub fn filter_shape(&self) -> [usize; 4] {
        let depth = self.depth.checked_div(self.groups).unwrap_or(0);
        self.ordered(self.out_depth, [self.rows.window, self.columns.window], depth)
    }

    /// The shape of the outputs.
    pub fn output_shape(&self) -> [usize; 4] {
        self.ordered(self.batch, [self.rows.output, self.columns.output], self.out_depth)
    }

    fn ordered(&self, number: usize, [rows, columns]: [usize; 2], channels: usize) -> [usize; 4] {
        match self.channels_last {
            true => [number, rows, columns, channels],
            false => [number, channels, rows, columns],
        }
    }

    /// Checks that the extents fit together and the tensors have the dtype and the shapes.
    ///
    /// # Errors
    /// They do not.
    pub fn check(&self, image: &Tensor, filter: &Tensor, output: &Tensor) -> Result<()> {
        let Self { depth, out_depth, groups, .. } = *self;
        if groups == 0 || !depth.is_multiple_of(groups) || !out_depth.is_multiple_of(groups) {
            return Err(self.wrong("groups", "they do not divide the channels"));
        }
        for (name, axis) in [("rows", self.rows), ("columns", self.columns)] {
            if axis.output_extent() != Some(axis.output) {
                return Err(self.wrong(name, &format!("there are {:?} outputs", axis.output_extent())));
            }
        }
        self.check_one("image", self.image_shape(), image)?;
        self.check_one("filter", self.filter_shape(), filter)?;
        self.check_one("output", self.output_shape(), output)
    }

    fn check_one(&self, name: &str, shape: [usize; 4], tensor: &Tensor) -> Result<()> {
        match tensor.dtype() == self.dtype && **tensor.shape() == shape {
            true => Ok(()),
            false => {
                let problem = format!("it must be {shape:?}, the tensor is {} {}", tensor.dtype(), tensor.shape());
                Err(self.wrong(name, &problem))
            }
        }
    }

    fn wrong(&self, name: &str, problem: &str) -> Error {
        Error::invalid_argument(format!("`{name}` does not fit the convolution {self:?}: {problem}"))
    }
}
