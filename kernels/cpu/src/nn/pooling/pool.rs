//! What poolings share: a window of `ksize` that moves over images or volumes.

use multiversion::multiversion;
use oplink::KernelEnv;

use crate::support::parallel::for_each_row;
pub(super) use crate::support::window::{PoolGeometry, PoolWindow};

/// Values that one thread should at least fold.
pub(super) const TASK_COST: usize = 1 << 16;

impl PoolGeometry {
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
