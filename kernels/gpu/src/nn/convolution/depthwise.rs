//! `DepthwiseConv2dNative`: each channel of an image convolved with filters of its own. Sums are in f32.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink_ops::nn::window::{Axis, ChannelOrder, Depthwise, Window, WindowAttrs};
use oplink_ops::{DepthwiseConv2dNative, DepthwiseConv2dNativeAttrs};

use super::super::extents::extent;
use super::layout::Strides;

/// `DepthwiseConv2dNative` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(DepthwiseConv2dNative, device = GPU, T = [f16, bf16, f32])]
pub fn depthwise_conv2d_gpu(
    input: &Tensor,
    filter: &Tensor,
    attrs: DepthwiseConv2dNativeAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let convolution = Convolution::new(&env.node().op.name, &attrs.into(), input.shape(), filter.shape())?;
    let output = output.allocate(convolution.output_shape())?;
    let count = output.num_elements();
    if count == 0 {
        return Ok(());
    }
    let program = depthwise { image: input, filter, output, shape: convolution.shape()?, count: extent(count)? };
    program.launch(env.device()?, input.dtype(), depthwise::blocks(count))
}

/// A depthwise convolution: its extents, and the order of its images' axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Convolution {
    pub(super) geometry: Depthwise,
    order: ChannelOrder,
}

impl Convolution {
    /// Of the op `op`, for an input and a filter of these shapes.
    ///
    /// # Errors
    /// Extents that do not fit together, or too many elements for a GPU.
    pub(super) fn new(op: &str, attrs: &WindowAttrs<'_>, input: &[usize], filter: &[usize]) -> Result<Self> {
        let order = ChannelOrder::of(op, attrs.data_format)?;
        let window = Window::new(op, attrs, order)?;
        let this = Self { geometry: Depthwise::new(&window, &order.to_last(input), filter)?, order };
        for elements in [input.iter().product(), filter.iter().product(), this.output_shape().num_elements()] {
            extent(elements)?;
        }
        Ok(this)
    }

    /// The shape of the output, its axes in the images' order.
    pub(super) fn output_shape(&self) -> Shape {
        Shape::new(&self.order.from_last(&self.geometry.output_shape()))
    }

    /// Fails unless a gradient has the output's shape.
    pub(super) fn check_gradient(&self, gradient: &Tensor) -> Result<()> {
        let expected = self.output_shape();
        ensure!(
            *gradient.shape() == expected,
            "out_backprop must have the shape of the convolution's output, {expected}, its shape is {}",
            gradient.shape()
        );
        Ok(())
    }

    /// The convolution as programs take it.
    pub(super) fn shape(&self) -> Result<Channelwise> {
        let Depthwise { rows, columns, depth, multiplier, .. } = &self.geometry;
        Ok(Channelwise {
            depth: extent(*depth)?,
            multiplier: extent(*multiplier)?,
            rows: line(rows)?,
            columns: line(columns)?,
            image: Strides::new(self.order, rows.input * columns.input, *depth)?,
            output: Strides::new(self.order, rows.output * columns.output, depth * multiplier)?,
        })
    }
}

/// One axis of a depthwise convolution, as programs take it.
#[device_struct]
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) image: u32,
    pub(super) output: u32,
    pub(super) taps: u32,
    pub(super) stride: u32,
    pub(super) dilation: u32,
    pub(super) before: u32,
}

/// A depthwise convolution, as programs take it.
#[device_struct]
#[derive(Debug, Clone, Copy)]
pub(super) struct Channelwise {
    /// Channels of the image.
    pub(super) depth: u32,
    /// Channels of the output for each.
    pub(super) multiplier: u32,
    pub(super) rows: Line,
    pub(super) columns: Line,
    pub(super) image: Strides,
    pub(super) output: Strides,
}

fn line(axis: &Axis) -> Result<Line> {
    Ok(Line {
        image: extent(axis.input)?,
        output: extent(axis.output)?,
        taps: extent(axis.window)?,
        stride: extent(axis.stride)?,
        dilation: extent(axis.dilation)?,
        before: extent(axis.before)?,
    })
}

/// A thread for each element of the output.
#[program(block = 256, T = [f16, bf16, f32])]
fn depthwise<T: Float>(image: &[T], filter: &[T], output: &mut [T], shape: Channelwise, count: u32) {
    let Channelwise { depth, multiplier, rows, columns, .. } = shape;
    let channels = depth * multiplier;
    for at in grid_stride(count) {
        let pixel = at / shape.output.pixel % (rows.output * columns.output);
        let channel = at / shape.output.channel % channels;
        let start = at / shape.output.batch * shape.image.batch + channel / multiplier * shape.image.channel;
        // A position before the image wraps, and is behind it then.
        let first_row = pixel / columns.output * rows.stride - rows.before;
        let first_column = pixel % columns.output * columns.stride - columns.before;
        let mut sum = 0.0f32;
        for row_tap in 0..rows.taps {
            let row = first_row + row_tap * rows.dilation;
            if row < rows.image {
                for column_tap in 0..columns.taps {
                    let column = first_column + column_tap * columns.dilation;
                    if column < columns.image {
                        let weight = filter[((row_tap * columns.taps + column_tap) * channels + channel) as usize];
                        let value = image[(start + (row * columns.image + column) * shape.image.pixel) as usize];
                        sum += value.to_f32() * weight.to_f32();
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
    }
}
