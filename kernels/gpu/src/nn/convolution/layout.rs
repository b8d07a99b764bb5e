//! Where the elements of images lie, and the shapes of convolutions in either order of their axes.

use oplink::prelude::*;
use oplink_ops::nn::window::{ChannelOrder, Geometry, Window, WindowAttrs};

use super::super::extents::extent;

/// Elements from one position to the next of images that lie densely, whatever the order of their axes.
#[device_struct]
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Strides {
    pub(in super::super) batch: u32,
    /// From one pixel of a picture to the next, over the ends of lines.
    pub(in super::super) pixel: u32,
    pub(in super::super) channel: u32,
}

impl Strides {
    /// Of images with so many pixels a picture and channels.
    ///
    /// # Errors
    /// Too many elements for a GPU.
    pub(in super::super) fn new(order: ChannelOrder, pixels: usize, channels: usize) -> Result<Self> {
        let batch = extent(pixels * channels)?;
        Ok(match order {
            ChannelOrder::Last => Self { batch, pixel: channels as u32, channel: 1 },
            ChannelOrder::First => Self { batch, pixel: 1, channel: pixels as u32 },
        })
    }
}

/// A convolution of images: its extents, and the order of its images' axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Convolution {
    pub(super) geometry: Geometry,
    pub(super) order: ChannelOrder,
}

impl Convolution {
    /// Of the op `op`, for an input and a filter of these shapes.
    ///
    /// # Errors
    /// Extents that do not fit together, or too many elements for a GPU.
    pub(super) fn new(op: &str, attrs: &WindowAttrs<'_>, input: &[usize], filter: &[usize]) -> Result<Self> {
        let order = ChannelOrder::of(op, attrs.data_format)?;
        Self::of_window(&Window::new(op, attrs, order)?, order, input, filter)
    }

    /// With a window over images whose channels are last.
    ///
    /// # Errors
    /// As [`Convolution::new`].
    pub(super) fn channels_last(window: &Window, input: &[usize], filter: &[usize]) -> Result<Self> {
        Self::of_window(window, ChannelOrder::Last, input, filter)
    }

    /// With a window over images whose channels are in this order.
    ///
    /// # Errors
    /// As [`Convolution::new`].
    pub(super) fn of_window(window: &Window, order: ChannelOrder, input: &[usize], filter: &[usize]) -> Result<Self> {
        ensure!(input.len() == 4, "input must be of rank 4, its shape is {}", Shape::new(input));
        let geometry = Geometry::new(window, &order.to_last(input), filter)?;
        let this = Self { geometry, order };
        extent(input.iter().product())?;
        extent(filter.iter().product())?;
        extent(this.output_shape().num_elements())?;
        Ok(this)
    }

    /// The shape of the output, its axes in the images' order.
    pub(super) fn output_shape(&self) -> Shape {
        Shape::new(&self.order.from_last(&self.geometry.output_shape(4)))
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

    /// Pixels of a picture of the input.
    pub(super) fn input_plane(&self) -> usize {
        self.geometry.axes[1].input * self.geometry.axes[2].input
    }

    /// Pixels of a picture of the output.
    pub(super) fn output_plane(&self) -> usize {
        self.geometry.axes[1].output * self.geometry.axes[2].output
    }

    pub(super) fn input_strides(&self) -> Result<Strides> {
        Strides::new(self.order, self.input_plane(), self.geometry.depth)
    }

    pub(super) fn output_strides(&self) -> Result<Strides> {
        Strides::new(self.order, self.output_plane(), self.geometry.out_depth)
    }
}
