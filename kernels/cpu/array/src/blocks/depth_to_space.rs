//! `DepthToSpace` and `SpaceToDepth`: channels regrouped as squares of pixels, and back.
//!
//! With the attr `block_size` b, channel `(i * b + j) * c + k` of a pixel at (y, x) stands for channel `k` of the pixel at
//! `(y * b + i, x * b + j)`, c being the number of channels of the larger image. Every dtype, `data_format` `NHWC` and
//! `NCHW`. It is an error when the channels, or the rows and columns, do not divide.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, CopyBackend, Host, row_major_strides};
use oplink_ops::array::{DepthFormat, DepthToSpace, SpaceToDepth};

/// `DepthToSpace` of every dtype.
#[kernel(DepthToSpace, device = CPU, T = any)]
pub fn depth_to_space_cpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    depth_to_space_by::<Host>(input, block_size, data_format, output, env)
}

/// `DepthToSpace` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn depth_to_space_by<B: CopyBackend>(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (image, block) = (Image::of(input.shape(), data_format)?, block_size as usize);
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

/// `SpaceToDepth` of every dtype.
#[kernel(SpaceToDepth, device = CPU, T = any)]
pub fn space_to_depth_cpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    space_to_depth_by::<Host>(input, block_size, data_format, output, env)
}

/// `SpaceToDepth` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn space_to_depth_by<B: CopyBackend>(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (image, block) = (Image::of(input.shape(), data_format)?, block_size as usize);
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

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn regroup(op: &str, input: Tensor, format: &str) -> Result<Tensor> {
        Ok(run(op, &[("block_size", 2.into()), ("data_format", format.into())], vec![input])?.remove(0))
    }

    #[test]
    fn regroup_and_back() {
        let x = Tensor::from_vec([1, 1, 2, 4], (1..=8).collect::<Vec<i32>>()).unwrap();
        let out = regroup("DepthToSpace", x.clone(), "NHWC").unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[1, 2, 4, 1][..], &[1, 2, 5, 6, 3, 4, 7, 8][..])
        );
        let back = regroup("SpaceToDepth", out, "NHWC").unwrap();
        assert_eq!((back.shape(), back.as_slice::<i32>().unwrap()), (x.shape(), x.as_slice::<i32>().unwrap()));
        let y = Tensor::from_vec([1, 4, 1, 2], vec![1, 5, 2, 6, 3, 7, 4, 8]).unwrap();
        let out = regroup("DepthToSpace", y.clone(), "NCHW").unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[1, 1, 2, 4][..], &[1, 2, 5, 6, 3, 4, 7, 8][..])
        );
        assert_eq!(
            regroup("SpaceToDepth", out, "NCHW").unwrap().as_slice::<i32>().unwrap(),
            y.as_slice::<i32>().unwrap()
        );
    }

    #[test]
    fn what_does_not_divide_is_an_error() {
        let x = Tensor::zeros(DType::Float, [1, 3, 2, 3]).unwrap();
        assert!(regroup("DepthToSpace", x.clone(), "NHWC").is_err());
        assert!(regroup("SpaceToDepth", x, "NHWC").is_err());
    }
}
