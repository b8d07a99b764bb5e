//! Products of many rows with a matrix in panels: a convolution of as many pixels with a window of one.

use std::ops::Range;

use oplink::{KernelEnv, Result};

use super::filter::Panels;
use super::tile::tile_pixels;
use super::walk::Walk;
use super::{Direct, GAP, InputLines, ONE_SET_STRIDE, Patches};
use crate::finish::Finish;

/// Writes the product of `rows`, each of `depth` elements and `stride` elements after the one before, with a matrix in
/// panels, and what follows, to `out` on the environment's threads.
///
/// # Errors
/// Memory runs out.
pub fn multiply_rows(
    env: &dyn KernelEnv,
    (rows, stride): (&[f32], usize),
    panels: Panels<'_>,
    finish: Finish<'_, f32>,
    out: &mut [f32],
) -> Result<()> {
    let (depth, count) = (panels.depth, out.len() / panels.columns.max(1));
    let step = if stride.is_multiple_of(ONE_SET_STRIDE) { depth + GAP } else { stride };
    let width = count.min(tile_pixels());
    let patches = Patches {
        input: &Rows { values: rows, stride, depth, width, count, step },
        pictures: 1,
        lines: count.div_ceil(width.max(1)),
        width,
        pixels: count,
        steps: (width * step, step),
        walk: Walk { rows: (1, 0), columns: (1, 0), length: depth },
    };
    Direct { patches, filter: panels, finish }.compute(env, out)
}

/// Rows of a matrix, read where they are or copied to where they share out the lines of the cache better.
struct Rows<'a> {
    values: &'a [f32],
    stride: usize,
    depth: usize,
    /// Rows of a line.
    width: usize,
    /// All rows.
    count: usize,
    /// Elements from one row to the next where they are read.
    step: usize,
}

impl InputLines for Rows<'_> {
    fn scratch(&self, lines: usize) -> usize {
        if self.step == self.stride { 0 } else { lines * self.width * self.step }
    }

    fn lines<'s>(&'s self, _: usize, lines: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32] {
        let rows = lines.start * self.width..self.count.min(lines.end * self.width);
        let values = &self.values[rows.start * self.stride..];
        if self.step == self.stride {
            return values;
        }
        for (to, from) in scratch.chunks_exact_mut(self.step).zip(values.chunks(self.stride)).take(rows.len()) {
            to[..self.depth].copy_from_slice(&from[..self.depth]);
        }
        scratch
    }
}
