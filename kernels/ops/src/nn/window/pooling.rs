//! The extents of poolings over images and volumes.

use oplink::prelude::*;
use oplink::shape_fns::Padding;
use oplink::shape_inference::int_values;

use super::{Axis, ChannelOrder, Window, WindowAttrs, extents, padding, spatial};

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
    /// From the attrs of the op `op` on the CPU.
    ///
    /// # Errors
    /// Other data formats than channels last (code Unimplemented); as for [`Self::new`].
    pub fn channels_last(op: &str, attrs: &WindowAttrs<'_>) -> Result<Self> {
        attrs.check_channels_last(op)?;
        Self::new(op, attrs, ChannelOrder::Last)
    }

    /// As [`Self::channels_last`], where `ksize` and `strides` are inputs of the op.
    ///
    /// # Errors
    /// As for [`Self::channels_last`]; unlike numbers of elements.
    pub fn of_inputs(op: &str, attrs: WindowAttrs<'_>, ksize: &[i64], strides: &[i64]) -> Result<Self> {
        attrs.check_channels_last(op)?;
        check_lengths(op, ksize, strides)?;
        Self::new(op, &WindowAttrs { ksize, strides, ..attrs }, ChannelOrder::Last)
    }

    /// The numbers in the inputs `ksize` and `strides` of the op `op`, in host memory.
    ///
    /// # Errors
    /// Unlike numbers of elements.
    pub fn numbers(op: &str, [ksize, strides]: [&Tensor; 2]) -> Result<[Vec<i64>; 2]> {
        let (ksize, strides) = (int_values(ksize)?, int_values(strides)?);
        check_lengths(op, &ksize, &strides)?;
        Ok([ksize, strides])
    }

    /// From the attrs of the op `op`, over images or volumes whose axes, and so the attrs' numbers, are in `order`.
    ///
    /// # Errors
    /// Malformed numbers or paddings; a window over batch or channels (code Unimplemented); padding as large as the
    /// window.
    pub fn new(op: &str, attrs: &WindowAttrs<'_>, order: ChannelOrder) -> Result<Self> {
        let sizes = spatial(op, "ksize", &order.to_last(attrs.ksize))?;
        let strides = spatial(op, "strides", &order.to_last(attrs.strides))?;
        let padding = padding(attrs, order)?;
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

/// Fails unless sizes and strides that are inputs have as many elements.
fn check_lengths(op: &str, ksize: &[i64], strides: &[i64]) -> Result<()> {
    ensure!(
        ksize.len() == strides.len(),
        "ksize and strides of {op} must have as many elements, they are {ksize:?} and {strides:?}"
    );
    Ok(())
}

impl PoolGeometry {
    /// The output's shape.
    pub fn output_shape(&self) -> Shape {
        let spatial = self.axes.iter().skip(5 - self.rank).map(|axis| axis.output);
        std::iter::once(self.batch).chain(spatial).chain([self.channels]).collect()
    }

    /// Values in a window, and at least 1.
    pub fn window(&self) -> usize {
        self.axes.iter().map(|axis| axis.window).fold(1, usize::saturating_mul).max(1)
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

    /// Calls `visit` for each run of neighbouring pixels that the window of output pixel `pixel` of a picture covers:
    /// position of the first one's channels in a picture of the input, and number of pixels.
    #[inline]
    pub fn runs(&self, pixel: usize, mut visit: impl FnMut(usize, usize)) {
        let [planes, rows, columns] = &self.axes;
        let (x, line) = (pixel % columns.output, pixel / columns.output);
        let (plane_taps, plane) = planes.taps(line / rows.output);
        let (row_taps, row) = rows.taps(line % rows.output);
        let (column_taps, column) = columns.taps(x);
        for plane in plane..plane + plane_taps.len() {
            for row in row..row + row_taps.len() {
                visit(((plane * rows.input + row) * columns.input + column) * self.channels, column_taps.len());
            }
        }
    }

    /// Calls `visit` with the position in a picture of the input of each pixel that the window of output pixel `pixel`
    /// covers.
    #[inline]
    pub fn taps(&self, pixel: usize, mut visit: impl FnMut(usize)) {
        self.runs(pixel, |position, pixels| (0..pixels).for_each(|i| visit(position + i * self.channels)));
    }
}
