//! `DepthToSpace` and `SpaceToDepth`: channels regrouped as squares of pixels, and back.
//!
//! With the attr `block_size` b, channel `(i * b + j) * c + k` of a pixel at (y, x) stands for channel `k` of the pixel at
//! `(y * b + i, x * b + j)`, c being the number of channels of the larger image. Every dtype, `data_format` `NHWC` and
//! `NCHW`. It is an error when the channels, or the rows and columns, do not divide.

use oplink::prelude::*;

use crate::support::movement::{Axis, Host, Mover, row_major_strides};

/// Channels to squares of pixels.
#[op("DepthToSpace",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "block_size: int >= 2",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     shape = shape_fns::depth_to_space)]
pub struct DepthToSpace;

/// Squares of pixels to channels.
#[op("SpaceToDepth",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "block_size: int >= 2",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     shape = shape_fns::space_to_depth)]
pub struct SpaceToDepth;

/// `DepthToSpace` of every dtype.
#[kernel(DepthToSpace, device = CPU, T = any)]
pub fn depth_to_space_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    depth_to_space_by::<Host>(context)
}

/// `DepthToSpace` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn depth_to_space_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, image, block) = (context.input(0), Image::of(context)?, context.attr::<i64>("block_size")? as usize);
    let channels = input.shape()[image.channel];
    ensure!(
        channels.is_multiple_of(block * block),
        "the {channels} channels of shape {} must be a multiple of the square of block_size {block}",
        input.shape()
    );
    let depth = channels / (block * block);
    let axis = |axis: usize, count: usize, step: usize| image.axis(axis, count, step);
    let (rows, columns) = (input.shape()[image.rows], input.shape()[image.rows + 1]);
    let spatial = [
        axis(image.rows, rows, 1),
        axis(image.channel, block, block * depth),
        axis(image.rows + 1, columns, 1),
        axis(image.channel, block, depth),
    ];
    let shape = image.shape([input.shape()[0], rows * block, columns * block, depth]);
    let out = image.copy::<M>(context, shape, &spatial, &[axis(image.channel, depth, 1)])?;
    context.set_output(0, out);
    Ok(())
}

/// `SpaceToDepth` of every dtype.
#[kernel(SpaceToDepth, device = CPU, T = any)]
pub fn space_to_depth_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    space_to_depth_by::<Host>(context)
}

/// `SpaceToDepth` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn space_to_depth_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, image, block) = (context.input(0), Image::of(context)?, context.attr::<i64>("block_size")? as usize);
    let (rows, columns) = (input.shape()[image.rows], input.shape()[image.rows + 1]);
    ensure!(
        rows.is_multiple_of(block) && columns.is_multiple_of(block),
        "rows and columns of shape {} must be multiples of block_size {block}",
        input.shape()
    );
    let channels = input.shape()[image.channel];
    let axis = |axis: usize, count: usize, step: usize| image.axis(axis, count, step);
    let spatial = [axis(image.rows, rows / block, block), axis(image.rows + 1, columns / block, block)];
    let depth = [axis(image.rows, block, 1), axis(image.rows + 1, block, 1), axis(image.channel, channels, 1)];
    let shape = image.shape([input.shape()[0], rows / block, columns / block, channels * block * block]);
    let out = image.copy::<M>(context, shape, &spatial, &depth)?;
    context.set_output(0, out);
    Ok(())
}

/// Where the axes of an image stand.
struct Image {
    channel: usize,
    rows: usize,
    strides: [isize; 4],
}

impl Image {
    fn of(context: &KernelContext<'_>) -> Result<Self> {
        let shape = context.input(0).shape();
        ensure!(shape.rank() == 4, "the input must be of rank 4, it has shape {shape}");
        let strides = row_major_strides(shape);
        let (channel, rows) = match context.attr::<&str>("data_format")? {
            "NHWC" => (3, 1),
            "NCHW" => (1, 2),
            other => {
                return Err(Error::unimplemented(format!("data_format {other} is not supported; NHWC and NCHW are")));
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

    /// An output whose rows and columns come from `spatial` and whose channels from `depth`.
    fn copy<M: Mover>(
        &self,
        context: &KernelContext<'_>,
        shape: Shape,
        spatial: &[Axis<'_>],
        depth: &[Axis<'_>],
    ) -> Result<Tensor> {
        let input = context.input(0);
        let batch = [self.axis(0, input.shape()[0], 1)];
        let axes =
            if self.channel == 1 { [&batch, depth, spatial].concat() } else { [&batch, spatial, depth].concat() };
        M::copy_axes(context, 0, shape, input, 0, &axes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
