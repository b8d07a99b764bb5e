//! The extents of convolutions over images and volumes.

use std::ops::Range;

use oplink::prelude::*;

use super::{Axis, Window, extents};

/// The extents of one convolution. An image is a volume of one plane.
#[derive(Debug, Clone, Copy)]
pub struct Geometry {
    /// Pictures or volumes.
    pub batch: usize,
    /// Planes, rows and columns.
    pub axes: [Axis; 3],
    /// Channels of the input.
    pub depth: usize,
    /// Channels of the output.
    pub out_depth: usize,
    /// Parts of the channels that are convolved by themselves.
    pub groups: usize,
}

impl Geometry {
    /// For an input of shape [batch, rows, columns, depth] and a filter of shape [rows, columns, depth / groups,
    /// out_depth], each with planes before the rows where there are any.
    ///
    /// # Errors
    /// Extents that do not fit together.
    pub fn new(window: &Window, input: &[usize], filter: &[usize]) -> Result<Self> {
        let (Some(input_extents), Some(window_extents)) = (extents(input, 1), extents(filter, 0)) else {
            bail!(
                "input and filter must be of rank 4 (5 with planes), their shapes are {} and {}",
                Shape::new(input),
                Shape::new(filter)
            )
        };
        ensure!(
            input.len() == filter.len(),
            "input and filter must be of one rank, their shapes are {} and {}",
            Shape::new(input),
            Shape::new(filter)
        );
        let (batch, depth) = (input[0], input[input.len() - 1]);
        let (group_depth, out_depth) = (filter[filter.len() - 2], filter[filter.len() - 1]);
        let filter_shape = Shape::new(filter);
        ensure!(group_depth > 0, "the depth of the filter must be > 0, its shape is {filter_shape}");
        ensure!(
            depth.is_multiple_of(group_depth),
            "the depth of the input ({depth}) must be a multiple of the depth of the filter ({group_depth})"
        );
        let groups = depth / group_depth;
        ensure!(
            groups > 0 && out_depth.is_multiple_of(groups),
            "the depth of the output ({out_depth}) must be a multiple of the number of groups ({groups})"
        );
        ensure!(window_extents.iter().all(|&e| e > 0), "the filter must not be empty, its shape is {filter_shape}");
        Ok(Self { batch, axes: window.axes(input_extents, window_extents)?, depth, out_depth, groups })
    }

    /// The shape of the output, of this rank.
    pub fn output_shape(&self, rank: usize) -> Shape {
        let spatial = self.axes.iter().skip(5 - rank).map(|axis| axis.output);
        std::iter::once(self.batch).chain(spatial).chain([self.out_depth]).collect()
    }

    /// Input channels of a group.
    pub fn group_depth(&self) -> usize {
        self.depth / self.groups
    }

    /// Output channels of a group.
    pub fn group_out(&self) -> usize {
        self.out_depth / self.groups
    }

    /// Output pixels of the whole batch.
    pub fn pixels(&self) -> usize {
        self.axes.iter().fold(self.batch, |pixels, axis| pixels * axis.output)
    }

    /// Elements of the patch that one output pixel of one group sees.
    pub fn patch(&self) -> usize {
        self.axes.iter().fold(self.group_depth(), |elements, axis| elements * axis.window)
    }

    /// Position of the first channel of an input pixel.
    #[inline]
    pub fn input_at(&self, batch: usize, [plane, row, column]: [usize; 3]) -> usize {
        let [planes, rows, columns] = self.axes.map(|axis| axis.input);
        (((batch * planes + plane) * rows + row) * columns + column) * self.depth
    }

    /// The same convolution of pictures, where every output plane sees the input plane at its own position alone:
    /// each plane is a picture.
    #[must_use]
    pub fn of_pictures(mut self) -> Self {
        let planes = &mut self.axes[0];
        if planes.is_identity() {
            self.batch *= planes.input;
            (planes.input, planes.output) = (1, 1);
        }
        self
    }

    /// Whether each output pixel sees the input pixel at its own position alone.
    pub fn is_pointwise(&self) -> bool {
        self.groups == 1 && self.axes.iter().all(Axis::is_identity)
    }
}

/// The extents of one depthwise convolution.
#[derive(Debug, Clone, Copy)]
pub struct Depthwise {
    /// Pictures.
    pub batch: usize,
    /// The window along rows.
    pub rows: Axis,
    /// The window along columns.
    pub columns: Axis,
    /// Channels of the input.
    pub depth: usize,
    /// Output channels of each input channel.
    pub multiplier: usize,
}

impl Depthwise {
    /// For an input of shape [batch, rows, columns, depth] and a filter of shape [rows, columns, depth, multiplier].
    ///
    /// # Errors
    /// Other ranks, unlike depths, a window that does not fit.
    pub fn new(window: &Window, input: &[usize], filter: &[usize]) -> Result<Self> {
        let &[batch, rows, columns, depth] = input else {
            bail!("input must be of rank 4, its shape is {}", Shape::new(input))
        };
        let &[filter_rows, filter_columns, filter_depth, multiplier] = filter else {
            bail!("filter must be of rank 4, its shape is {}", Shape::new(filter))
        };
        ensure!(
            depth == filter_depth,
            "input of depth {depth} and filter of depth {filter_depth} must have the same depth"
        );
        let [_, rows, columns] = window.axes([1, rows, columns], [1, filter_rows, filter_columns])?;
        Ok(Self { batch, rows, columns, depth, multiplier })
    }

    /// Channels of the output.
    pub fn channels(&self) -> usize {
        self.depth * self.multiplier
    }

    /// The shape of the output.
    pub fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.rows.output, self.columns.output, self.channels()])
    }

    /// Taps of the window.
    pub fn taps(&self) -> usize {
        self.rows.window * self.columns.window
    }

    /// Elements of an output line.
    pub fn width(&self) -> usize {
        self.columns.output * self.channels()
    }

    /// The outputs of a line that see all columns of the window.
    pub fn inner(&self) -> Range<usize> {
        let Axis { input, output, window, stride, dilation, before } = self.columns;
        let first = before.div_ceil(stride).min(output);
        let reach = window.saturating_sub(1) * dilation;
        let end = (input + before).saturating_sub(reach).div_ceil(stride).min(output);
        first..end.max(first)
    }
}
