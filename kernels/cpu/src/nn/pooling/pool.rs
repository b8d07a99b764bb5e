//! What poolings share: a window of `ksize` that moves over images and folds the values it covers.

use multiversion::multiversion;
use oplink::shape_fns::Padding;
use oplink::{KernelConstruction, KernelEnv, prelude::*};

use super::super::window::{Axis, Window};
use crate::support::parallel::for_each_row;

/// Values that one thread should at least fold.
const TASK_COST: usize = 1 << 16;

/// The window of a pooling along rows and columns.
#[derive(Debug, Clone)]
pub(super) struct PoolWindow {
    window: Window,
    sizes: [usize; 2],
}

/// The extents of one pooling.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolGeometry {
    batch: usize,
    rows: Axis,
    columns: Axis,
    channels: usize,
}

/// The attr `name` of a pooling: four numbers > 0, the first of them 1.
pub(super) fn image_attr(construction: KernelConstruction<'_>, name: &str) -> Result<[usize; 4]> {
    let (op, values) = (&construction.node().op.name, construction.attr::<&[i64]>(name)?);
    let Ok(values) = <[i64; 4]>::try_from(values) else {
        bail!("{name} of {op} must have 4 elements, it is {values:?}")
    };
    ensure!(values.iter().all(|&v| v > 0), "{name} of {op} must be > 0, it is {values:?}");
    if values[0] != 1 {
        return Err(Error::unimplemented(format!("{op} over the batch dimension: {name} is {values:?}")));
    }
    Ok(values.map(|v| v as usize))
}

impl PoolWindow {
    /// From the attrs of a pooling over `NHWC` images.
    ///
    /// # Errors
    /// As for [`Window::new`]; sizes below 1; a window over batch or channels (code Unimplemented); padding as large as
    /// the window.
    pub(super) fn new(construction: KernelConstruction<'_>) -> Result<Self> {
        let window = Window::new(construction)?;
        let [_, rows, columns, channels] = image_attr(construction, "ksize")?;
        if channels != 1 {
            let op = &construction.node().op.name;
            return Err(Error::unimplemented(format!("{op} over channels and over rows or columns at once")));
        }
        for (size, padding) in [rows, columns].into_iter().zip(window.padding.into_iter().skip(1)) {
            if let Padding::Explicit(before, after) = padding {
                ensure!(
                    before.max(after) < size,
                    "padding {before}, {after} must be smaller than the window size {size}"
                );
            }
        }
        Ok(Self { window, sizes: [rows, columns] })
    }

    /// The extents for an input of this shape.
    pub(super) fn geometry(&self, input: &Shape) -> Result<PoolGeometry> {
        let &[batch, rows, columns, channels] = input.dims() else {
            bail!("input must be of rank 4, its shape is {input}")
        };
        let [_, rows, columns] = self.window.axes([1, rows, columns], [1, self.sizes[0], self.sizes[1]])?;
        Ok(PoolGeometry { batch, rows, columns, channels })
    }
}

impl PoolGeometry {
    /// The output's shape.
    pub(super) fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.rows.output, self.columns.output, self.channels])
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
        let grain = TASK_COST.div_ceil(self.rows.window * self.columns.window);
        for_each_row(env, out, self.columns.output * self.channels, grain, &|row, out| {
            let (row_taps, first_row) = self.rows.taps(row % self.rows.output);
            let line = row / self.rows.output * self.rows.input + first_row;
            for (x, out) in out.chunks_exact_mut(self.channels).enumerate() {
                let (column_taps, first) = self.columns.taps(x);
                out.fill(initial);
                for line in line..line + row_taps.len() {
                    let start = (line * self.columns.input + first) * self.channels;
                    take_in(&image[start..start + column_taps.len() * self.channels], out, step);
                }
                let count = row_taps.len() * column_taps.len();
                for value in out {
                    *value = finish(*value, count);
                }
            }
        });
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
