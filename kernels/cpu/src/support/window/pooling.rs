//! The extents of poolings over images and volumes.

use oplink::NodeInfo;
use oplink::prelude::*;
use oplink::shape_fns::Padding;

use super::{Axis, ChannelOrder, Window, channels_last, extents, padding, spatial};

/// The window of a pooling along planes, rows and columns.
#[derive(Debug, Clone)]
pub struct PoolWindow {
    window: Window,
    sizes: [usize; 3],
}

/// The extents of one pooling. An image is a volume of one plane.
#[derive(Debug, Clone, Copy)]
pub struct PoolGeometry {
    /// Pictures or volumes.
    pub batch: usize,
    /// Planes, rows and columns.
    pub axes: [Axis; 3],
    /// Channels, of which each is pooled by itself.
    pub channels: usize,
    rank: usize,
}

impl PoolWindow {
    /// From the attrs of a pooling with the channels last.
    ///
    /// # Errors
    /// As for [`Self::of`].
    pub fn new(node: &NodeInfo) -> Result<Self> {
        Self::of(node, node.attr("ksize")?, node.attr("strides")?)
    }

    /// A window of size `ksize` that moves by `strides`.
    ///
    /// # Errors
    /// Other data formats than channels last (code Unimplemented); malformed numbers or paddings; a window over batch or
    /// channels (code Unimplemented); padding as large as the window.
    pub fn of(node: &NodeInfo, ksize: &[i64], strides: &[i64]) -> Result<Self> {
        channels_last(node)?;
        Self::in_order(node, ksize, strides, ChannelOrder::Last)
    }

    /// As [`Self::of`], over images or volumes whose axes, and so the numbers, are in `order`.
    ///
    /// # Errors
    /// As for [`Self::of`], but for the data format.
    pub fn in_order(node: &NodeInfo, ksize: &[i64], strides: &[i64], order: ChannelOrder) -> Result<Self> {
        ensure!(
            ksize.len() == strides.len() || node.attrs.get("ksize").is_some(),
            "ksize and strides of {} must have as many elements, they are {ksize:?} and {strides:?}",
            node.op.name
        );
        let sizes = spatial(node, "ksize", &order.to_last(ksize))?;
        let strides = spatial(node, "strides", &order.to_last(strides))?;
        let padding = padding(node, order)?;
        for (size, padding) in sizes.into_iter().zip(padding) {
            if let Padding::Explicit(before, after) = padding {
                ensure!(
                    before.max(after) < size,
                    "padding {before}, {after} must be smaller than the window size {size}"
                );
            }
        }
        Ok(Self { window: Window { strides, dilations: [1; 3], padding }, sizes })
    }

    /// The extents for an input of this shape.
    ///
    /// # Errors
    /// Another rank than 4 or 5; a window that does not fit.
    pub fn geometry(&self, input: &[usize]) -> Result<PoolGeometry> {
        let Some(spatial) = extents(input, 1) else {
            bail!("input must be of rank 4 (5 with planes), its shape is {}", Shape::new(input))
        };
        let axes = self.window.axes(spatial, self.sizes)?;
        Ok(PoolGeometry { batch: input[0], axes, channels: input[input.len() - 1], rank: input.len() })
    }
}

impl PoolGeometry {
    /// The output's shape.
    pub fn output_shape(&self) -> Shape {
        let spatial = self.axes.iter().skip(5 - self.rank).map(|axis| axis.output);
        std::iter::once(self.batch).chain(spatial).chain([self.channels]).collect()
    }

    /// Values in a window, and at least 1.
    pub fn window(&self) -> usize {
        self.axes.iter().map(|axis| axis.window).product::<usize>().max(1)
    }

    /// Values of one picture of the input.
    pub fn picture(&self) -> usize {
        self.axes.iter().fold(self.channels, |values, axis| values * axis.input)
    }

    /// Values of one picture of the output.
    pub fn output_picture(&self) -> usize {
        self.axes.iter().fold(self.channels, |values, axis| values * axis.output)
    }

    /// Fails unless a tensor has the output's shape.
    ///
    /// # Errors
    /// It has another shape.
    pub fn check_output(&self, tensor: &Tensor, name: &str) -> Result<()> {
        let expected = self.output_shape();
        ensure!(*tensor.shape() == expected, "{name} must have the shape {expected}, its shape is {}", tensor.shape());
        Ok(())
    }
}
