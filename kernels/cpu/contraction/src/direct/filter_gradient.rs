//! The gradient of a convolution with respect to its filter: for each element of a patch, its products with the
//! gradient of the output, summed over all pixels.
//!
//! Blocks of pixels are so small that a panel of the output's gradient stays in cache while all elements of the patches
//! pass by. Each sum is made in the order of the pixels, whoever makes it.

use oplink::{KernelEnv, Result, parallel};

use super::Patches;
use super::filter::{HALF, WIDTH};
use super::tile::{Strip, Tile, max_length};
use super::walk::Walk;
use crate::finish::Finish;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Pixels of a block, about: few, so that they stay in the first cache; more where the sums are so many that it costs
/// more to come back to them.
const BLOCK: usize = 128;
const LONG_BLOCK: usize = 448;
/// Sums that stay in the second cache.
const FEW_SUMS: usize = 1 << 17;
/// Shares of the work for each thread.
const SHARES_A_THREAD: usize = 2;

/// The gradient of a filter.
pub struct FilterGradient<'a> {
    /// What output pixels see.
    pub patches: Patches<'a>,
    /// The gradient of the output, `out_depth` elements for each pixel.
    pub gradient: &'a [f32],
    /// Output channels.
    pub out_depth: usize,
}

/// Some output lines of a picture.
#[derive(Clone, Copy)]
struct Block {
    picture: usize,
    first: usize,
    lines: usize,
}

impl FilterGradient<'_> {
    /// Computes the whole gradient, a row of `out_depth` elements for each element of a patch, on the environment's
    /// threads. There are pixels.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        let panels = self.out_depth.div_ceil(WIDTH);
        let threads = env.intra_op_threads();
        let shares = if threads > 1 { panels.min(threads * SHARES_A_THREAD) } else { 1 };
        let block = if out.len() > FEW_SUMS { LONG_BLOCK } else { BLOCK };
        let lines = (block / self.patches.width).clamp(1, self.patches.lines);
        let input = self.patches.input.scratch(lines);
        let out = SharedOutput::new(out, self.out_depth);
        Scratch::with(env, input + lines * self.patches.width * WIDTH, |scratch| {
            env.parallel_for(shares, 1, &|range| {
                for share in range {
                    let panels = share * panels / shares..(share + 1) * panels / shares;
                    scratch.lend(|scratch| {
                        let (scratch, panel) = scratch.split_at_mut(input);
                        for block in self.blocks(lines) {
                            let input = self.patches.input.lines(
                                block.picture,
                                block.first..block.first + block.lines,
                                scratch,
                            );
                            for index in panels.clone() {
                                parallel::poll(env);
                                // SAFETY: each share has columns that no other share has, and the output is borrowed
                                // for all.
                                unsafe { self.add(block, index, input, panel, out) };
                            }
                        }
                    });
                }
            });
            Ok(())
        })
    }

    /// The blocks of all pictures.
    fn blocks(&self, most: usize) -> impl Iterator<Item = Block> {
        let (pictures, lines) = (self.patches.pictures, self.patches.lines);
        let of_picture = move |picture| {
            let block = move |first| Block { picture, first, lines: most.min(lines - first) };
            (0..lines).step_by(most).map(block)
        };
        (0..pictures).flat_map(of_picture)
    }

    /// Adds the products of a block and a panel of the output's gradient, which `panel` is filled with.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes the columns of this panel.
    unsafe fn add(&self, block: Block, index: usize, input: &[f32], panel: &mut [f32], out: SharedOutput<'_, f32>) {
        let (p, column) = (&self.patches, index * WIDTH);
        let count = WIDTH.min(self.out_depth - column);
        let width = count.next_multiple_of(HALF);
        let pixels = block.first * p.width..p.pixels.min((block.first + block.lines) * p.width);
        let panel = &mut panel[..pixels.len() * width];
        let gradient = &self.gradient[(block.picture * p.pixels + pixels.start) * self.out_depth..];
        for (to, from) in panel.chunks_exact_mut(width).zip(gradient.chunks_exact(self.out_depth)) {
            to[..count].copy_from_slice(&from[column..][..count]);
            to[count..].fill(0.0);
        }
        // Lines that follow each other are one, the last of which may be shorter.
        let is_one_line = p.steps.0 == p.width * p.steps.1 || block.lines == 1;
        let (rows, columns) = if is_one_line { ((1, 0), pixels.len()) } else { ((block.lines, p.steps.0), p.width) };
        let taps = (0..p.walk.rows.0).flat_map(|row| (0..p.walk.columns.0).map(move |column| (row, column)));
        for (tap, (row, tap_column)) in taps.enumerate() {
            let strip = Strip {
                input: &input[row * p.walk.rows.1 + tap_column * p.walk.columns.1..],
                step: 1,
                walk: Walk { rows, columns: (columns, p.steps.1), length: 1 },
                panel,
                next: panel,
                width,
                columns: (column, count),
                finish: Finish::default(),
                adds: block.picture > 0 || block.first > 0,
                out,
            };
            // SAFETY: the columns are nobody else's, as this function demands of its callers.
            unsafe { strip.multiply(&tiles(p.walk.length, tap * p.walk.length)) };
        }
    }
}

/// The tiles of so many elements side by side, which are rows of the gradient from `row` on.
pub(super) fn tiles(length: usize, row: usize) -> Vec<Tile> {
    let count = length.div_ceil(2 * max_length());
    let tile = |index: usize| {
        let part = index * length / count..(index + 1) * length / count;
        let length = part.len().div_ceil(2);
        let inputs = [part.start, part.end - length];
        Tile { length, inputs, pixels: inputs.map(|input| row + input) }
    };
    (0..count).map(tile).collect()
}
