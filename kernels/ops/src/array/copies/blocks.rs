//! Channels regrouped as squares of pixels, and back.

use oplink::prelude::*;

use crate::array::DepthFormat;
use crate::movement::{Axis, CopyBackend, row_major_strides};

/// `DepthToSpace` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn depth_to_space<B: CopyBackend>(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (image, block) = (Image::of(input.shape(), data_format)?, block_of(block_size)?);
    let channels = input.shape()[image.channel];
    ensure!(
        channels.is_multiple_of(block * block),
        "the {channels} channels of shape {} must be a multiple of the square of block_size {block}",
        input.shape()
    );
    let depth = channels / (block * block);
    let (batch, rows, columns) = (input.shape()[0], input.shape()[image.rows], input.shape()[image.rows + 1]);
    let spatial = [
        image.axis(image.rows, rows, 1),
        image.axis(image.channel, block, block * depth),
        image.axis(image.rows + 1, columns, 1),
        image.axis(image.channel, block, depth),
    ];
    let shape = image.shape([batch, rows * block, columns * block, depth]);
    let axes = image.axes(batch, &spatial, &[image.axis(image.channel, depth, 1)]);
    B::copy_axes(env, output.allocate(shape)?, input, 0, &axes)
}

/// `SpaceToDepth` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn space_to_depth<B: CopyBackend>(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (image, block) = (Image::of(input.shape(), data_format)?, block_of(block_size)?);
    let (batch, rows, columns) = (input.shape()[0], input.shape()[image.rows], input.shape()[image.rows + 1]);
    ensure!(
        rows.is_multiple_of(block) && columns.is_multiple_of(block),
        "rows and columns of shape {} must be multiples of block_size {block}",
        input.shape()
    );
    let channels = input.shape()[image.channel];
    let spatial = [image.axis(image.rows, rows / block, block), image.axis(image.rows + 1, columns / block, block)];
    let depth = [
        image.axis(image.rows, block, 1),
        image.axis(image.rows + 1, block, 1),
        image.axis(image.channel, channels, 1),
    ];
    let shape = image.shape([batch, rows / block, columns / block, channels * block * block]);
    B::copy_axes(env, output.allocate(shape)?, input, 0, &image.axes(batch, &spatial, &depth))
}

/// The block size, whose square is a number of channels.
fn block_of(size: i64) -> Result<usize> {
    match i32::try_from(size) {
        Ok(block @ 1..) => Ok(block as usize),
        _ => bail!("block_size must be between 1 and {}, it is {size}", i32::MAX),
    }
}

/// The axes of an image.
struct Image {
    channel: usize,
    rows: usize,
    strides: [isize; 4],
}

impl Image {
    fn of(shape: &Shape, data_format: DepthFormat) -> Result<Self> {
        ensure!(shape.rank() == 4, "the input must be of rank 4, it has shape {shape}");
        let strides = row_major_strides(shape);
        let (channel, rows) = match data_format {
            DepthFormat::Nhwc => (3, 1),
            DepthFormat::Nchw => (1, 2),
            DepthFormat::NchwVectC => {
                let message = format!("data_format {data_format} is not supported; NHWC and NCHW are");
                return Err(Error::unimplemented(message));
            }
        };
        Ok(Self { channel, rows, strides: [strides[0], strides[1], strides[2], strides[3]] })
    }

    /// `count` positions of an axis, `step` apart.
    fn axis(&self, axis: usize, count: usize, step: usize) -> Axis<'static> {
        Axis::Strided { count, stride: self.strides[axis] * step as isize }
    }

    /// A shape from batch, rows, columns and channels.
    fn shape(&self, [batch, rows, columns, channels]: [usize; 4]) -> Shape {
        if self.channel == 1 {
            [batch, channels, rows, columns].into()
        } else {
            [batch, rows, columns, channels].into()
        }
    }

    /// The axes of an output whose rows and columns come from `spatial` and whose channels from `depth`.
    fn axes(&self, batch: usize, spatial: &[Axis<'static>], depth: &[Axis<'static>]) -> Vec<Axis<'static>> {
        let batch = [self.axis(0, batch, 1)];
        if self.channel == 1 { [&batch, depth, spatial].concat() } else { [&batch, spatial, depth].concat() }
    }
}
