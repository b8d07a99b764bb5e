//! The geometry of poolings.

use oplink::prelude::*;
use oplink_ops::nn::window::{Axis, ChannelOrder, PoolGeometry, PoolWindow, WindowAttrs};

use super::super::convolution::Strides;
use super::super::extents::extent;
use super::programs::{Pool, PoolAxis};

/// A pooling of images: its extents, and the order of its images' axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pooling {
    geometry: PoolGeometry,
    order: ChannelOrder,
}

impl Pooling {
    /// Of the op `op` over images, for an input of this shape.
    ///
    /// # Errors
    /// Extents that do not fit together; a window over batch or channels (code Unimplemented); too many elements for a
    /// GPU.
    pub(super) fn of_images(op: &str, attrs: &WindowAttrs<'_>, input: &[usize]) -> Result<Self> {
        Self::of_rank(4, op, attrs, input)
    }

    /// Of the op `op` over volumes, as [`Self::of_images`].
    ///
    /// # Errors
    /// As for [`Self::of_images`].
    pub(super) fn of_volumes(op: &str, attrs: &WindowAttrs<'_>, input: &[usize]) -> Result<Self> {
        Self::of_rank(5, op, attrs, input)
    }

    fn of_rank(rank: usize, op: &str, attrs: &WindowAttrs<'_>, input: &[usize]) -> Result<Self> {
        ensure!(input.len() == rank, "input must be of rank {rank}, its shape is {}", Shape::new(input));
        let order = ChannelOrder::of(op, attrs.data_format)?;
        let window = PoolWindow::new(op, attrs, order)?;
        let this = Self { geometry: window.geometry(&order.to_last(input))?, order };
        extent(input.iter().product())?;
        extent(this.output_shape().num_elements())?;
        Ok(this)
    }

    /// The shape of the output, its axes in the images' order.
    pub(super) fn output_shape(&self) -> Shape {
        Shape::new(&self.order.from_last(&self.geometry.output_shape()))
    }

    /// Fails unless a tensor has the output's shape.
    pub(super) fn check_output(&self, tensor: &Tensor, name: &str) -> Result<()> {
        let expected = self.output_shape();
        ensure!(*tensor.shape() == expected, "{name} must have the shape {expected}, its shape is {}", tensor.shape());
        Ok(())
    }

    /// The pooling as programs take it.
    pub(super) fn pool(&self) -> Result<Pool> {
        let PoolGeometry { axes, channels, .. } = &self.geometry;
        let pixels = |extent: fn(&Axis) -> usize| axes.iter().map(extent).product();
        Ok(Pool {
            channels: extent(*channels)?,
            planes: pool_axis(&axes[0])?,
            rows: pool_axis(&axes[1])?,
            columns: pool_axis(&axes[2])?,
            image: Strides::new(self.order, pixels(|axis| axis.input), *channels)?,
            output: Strides::new(self.order, pixels(|axis| axis.output), *channels)?,
        })
    }
}

fn pool_axis(axis: &Axis) -> Result<PoolAxis> {
    Ok(PoolAxis {
        image: extent(axis.input)?,
        output: extent(axis.output)?,
        taps: extent(axis.window)?,
        stride: extent(axis.stride)?,
        before: extent(axis.before)?,
    })
}
