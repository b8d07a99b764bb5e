//! The arguments of programs for poolings.

use oplink::prelude::*;
use oplink::{ProgramArg, ScalarValue};
use oplink_kernels_cpu::support::window::{Axis, ChannelOrder, PoolGeometry, PoolWindow};

use super::super::convolution::Strides;
use super::super::extents::extent;

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

    /// The arguments of the programs for poolings: buffers, the number of elements to compute, and the extents.
    pub(super) fn arguments<'a>(&self, buffers: &[&'a Tensor], count: usize) -> Result<Vec<ProgramArg<'a>>> {
        self.arguments_along(&self.geometry.axes[1..], buffers, count)
    }

    /// As [`Self::arguments`], of the programs over volumes.
    pub(super) fn arguments_of_volumes<'a>(&self, buffers: &[&'a Tensor], count: usize) -> Result<Vec<ProgramArg<'a>>> {
        self.arguments_along(&self.geometry.axes, buffers, count)
    }

    fn arguments_along<'a>(&self, axes: &[Axis], buffers: &[&'a Tensor], count: usize) -> Result<Vec<ProgramArg<'a>>> {
        let channels = self.geometry.channels;
        let pixels = |extent: fn(&Axis) -> usize| axes.iter().map(extent).product();
        let image = Strides::new(self.order, pixels(|axis| axis.input), channels)?;
        let output = Strides::new(self.order, pixels(|axis| axis.output), channels)?;
        let along = axes.iter().flat_map(|axis| [axis.input, axis.output, axis.window, axis.stride, axis.before]);
        let extents: Vec<u32> = [count, channels].into_iter().chain(along).map(extent).collect::<Result<_>>()?;
        let strides = [image.batch, image.pixel, image.channel, output.batch, output.pixel, output.channel];
        let scalars = extents.into_iter().chain(strides).map(|value| ProgramArg::Scalar(ScalarValue::U32(value)));
        Ok(buffers.iter().map(|buffer| ProgramArg::Buffer(buffer)).chain(scalars).collect())
    }
}
