//! What poolings share: a window of `ksize` that moves over images or volumes.

use multiversion::multiversion;
use oplink::shape_fns::Padding;
use oplink::{KernelEnv, NodeInfo, prelude::*};

use super::super::window::{Axis, Window, channels_last, extents, padding, spatial};
use crate::support::parallel::for_each_row;

/// Values that one thread should at least fold.
pub(super) const TASK_COST: usize = 1 << 16;

/// The window of a pooling along planes, rows and columns.
#[derive(Debug, Clone)]
pub(super) struct PoolWindow {
    window: Window,
    sizes: [usize; 3],
}

/// The extents of one pooling. An image is a volume of one plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolGeometry {
    pub(super) batch: usize,
    /// Planes, rows and columns.
    pub(super) axes: [Axis; 3],
    pub(super) channels: usize,
    rank: usize,
}

impl PoolWindow {
    /// From the attrs of a pooling with the channels last.
    ///
    /// # Errors
    /// As for [`Self::of`].
    pub(super) fn new(node: &NodeInfo) -> Result<Self> {
        Self::of(node, node.attr("ksize")?, node.attr("strides")?)
    }

    /// A window of size `ksize` that moves by `strides`.
    ///
    /// # Errors
    /// Other data formats than channels last (code Unimplemented); malformed numbers or paddings; a window over batch or
    /// channels (code Unimplemented); padding as large as the window.
    pub(super) fn of(node: &NodeInfo, ksize: &[i64], strides: &[i64]) -> Result<Self> {
        channels_last(node)?;
        ensure!(
            ksize.len() == strides.len() || node.attrs.get("ksize").is_some(),
            "ksize and strides of {} must have as many elements, they are {ksize:?} and {strides:?}",
            node.op.name
        );
        let sizes = spatial(node, "ksize", ksize)?;
        let strides = spatial(node, "strides", strides)?;
        let padding = padding(node)?;
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
    pub(super) fn geometry(&self, input: &[usize]) -> Result<PoolGeometry> {
        let Some(spatial) = extents(input, 1) else {
            bail!("input must be of rank 4 (5 with planes), its shape is {}", Shape::new(input))
        };
        let axes = self.window.axes(spatial, self.sizes)?;
        Ok(PoolGeometry { batch: input[0], axes, channels: input[input.len() - 1], rank: input.len() })
    }
}

impl PoolGeometry {
    /// The output's shape.
    pub(super) fn output_shape(&self) -> Shape {
        let spatial = self.axes.iter().skip(5 - self.rank).map(|axis| axis.output);
        std::iter::once(self.batch).chain(spatial).chain([self.channels]).collect()
    }

    /// Values in a window, and at least 1.
    pub(super) fn window(&self) -> usize {
        self.axes.iter().map(|axis| axis.window).product::<usize>().max(1)
    }

    /// Values of one picture of the input.
    pub(super) fn picture(&self) -> usize {
        self.axes.iter().fold(self.channels, |values, axis| values * axis.input)
    }

    /// Values of one picture of the output.
    pub(super) fn output_picture(&self) -> usize {
        self.axes.iter().fold(self.channels, |values, axis| values * axis.output)
    }

    /// Fails unless a tensor has the output's shape.
    pub(super) fn check_output(&self, tensor: &Tensor, name: &str) -> Result<()> {
        let expected = self.output_shape();
        ensure!(*tensor.shape() == expected, "{name} must have the shape {expected}, its shape is {}", tensor.shape());
        Ok(())
    }

    /// Calls `visit` for each run of neighbouring pixels that the window of output pixel `pixel` of a picture covers:
    /// position of the first one's channels in a picture of the input, and number of pixels.
    #[inline]
    pub(super) fn runs(&self, pixel: usize, mut visit: impl FnMut(usize, usize)) {
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
    pub(super) fn taps(&self, pixel: usize, mut visit: impl FnMut(usize)) {
        self.runs(pixel, |position, pixels| (0..pixels).for_each(|i| visit(position + i * self.channels)));
    }

    /// Folds the values of each window: starts with `initial`, takes them in by `step`, row by row, and ends with
    /// `finish`, which gets the number of values that the window covers.
    pub(super) fn fold<L: Copy + Send + Sync>(
        &self,
        env: &dyn KernelEnv,
        (image, out): (&[L], &mut [L]),
        initial: L,
        step: impl Fn(L, L) -> L + Copy + Sync,
        finish: impl Fn(L, usize) -> L + Copy + Sync,
    ) {
        if out.is_empty() {
            return;
        }
        let (width, lines) = (self.axes[2].output, self.axes[0].output * self.axes[1].output);
        for_each_row(env, out, width * self.channels, TASK_COST.div_ceil(self.window()), &|line, out| {
            let image = &image[line / lines * self.picture()..];
            for (x, out) in out.chunks_exact_mut(self.channels).enumerate() {
                out.fill(initial);
                let mut count = 0;
                self.runs(line % lines * width + x, |position, pixels| {
                    take_in(&image[position..position + pixels * self.channels], out, step);
                    count += pixels;
                });
                for value in out {
                    *value = finish(*value, count);
                }
            }
        });
    }

    /// Calls `body` with each picture of `out`, which has the input's shape, and its number, on the environment's threads.
    pub(super) fn each_picture<L: Send>(
        &self,
        env: &dyn KernelEnv,
        out: &mut [L],
        body: &(dyn Fn(usize, &mut [L]) + Sync),
    ) {
        if !out.is_empty() {
            for_each_row(env, out, self.picture(), TASK_COST / 4, body);
        }
    }
}

/// Takes the pixels side by side in `from` into `out`, channel by channel.
#[allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]
#[multiversion(targets("x86_64+avx2+fma"))]
fn take_in<L: Copy, F: Fn(L, L) -> L>(from: &[L], out: &mut [L], step: F) {
    for pixel in from.chunks_exact(out.len()) {
        for (out, &value) in out.iter_mut().zip(pixel) {
            *out = step(*out, value);
        }
    }
}
