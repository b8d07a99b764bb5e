//! The geometry of poolings.

use oplink::prelude::*;
use oplink_ops::nn::window::{Axis, ChannelOrder, PoolGeometry, PoolWindow};

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
    /// For an input of this shape, with a window of size `ksize` that moves by `strides`.
    ///
    /// # Errors
    /// Extents that do not fit together; a window over batch or channels (code Unimplemented); too many elements for a GPU.
    pub(super) fn new(context: &KernelContext<'_>, input: &[usize], ksize: &[i64], strides: &[i64]) -> Result<Self> {
        Self::of_rank(4, context, input, ksize, strides)
    }

    /// For an input of this shape, which has planes, with the attrs `ksize` and `strides`.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub(super) fn of_volumes(context: &KernelContext<'_>, input: &[usize]) -> Result<Self> {
        Self::of_rank(5, context, input, context.attr("ksize")?, context.attr("strides")?)
    }

    fn of_rank(
        rank: usize,
        context: &KernelContext<'_>,
        input: &[usize],
        ksize: &[i64],
        strides: &[i64],
    ) -> Result<Self> {
        ensure!(input.len() == rank, "input must be of rank {rank}, its shape is {}", Shape::new(input));
        let order = ChannelOrder::of(context.node())?;
        let window = PoolWindow::in_order(context.node(), ksize, strides, order)?;
        let this = Self { geometry: window.geometry(&order.to_last(input))?, order };
        extent(input.iter().product())?;
        extent(this.output_shape().num_elements())?;
        Ok(this)
    }

    /// As [`Self::new`] with the attrs `ksize` and `strides`.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub(super) fn of_attrs(context: &KernelContext<'_>, input: &[usize]) -> Result<Self> {
        Self::new(context, input, context.attr("ksize")?, context.attr("strides")?)
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
