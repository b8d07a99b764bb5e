//! 3x3 convolutions of stride 1 by Winograd's algorithm F(4x4, 3x3): tiles of 6x6 input pixels and the filter are
//! transformed, multiplied element by element (36 matrix products over the channels), and transformed back to tiles of
//! 4x4 output pixels, with a quarter of the multiplications.
//!
//! The algorithm is that of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", with the points that
//! `tiling` gives.
#![allow(unsafe_code, reason = "room: threads share an output")]

use oplink::{KernelEnv, Result, parallel};

use super::filter::WIDTH;
use super::outputs::Outputs;
use super::part;
use super::tile::{Strip, Tile, max_length};
use super::tiling::{Block, DEPTH_UNIT, OUT, TAPS, Tiling};
use super::transformed::TransformedFilter;
use super::walk::Walk;
use crate::TASK_COST;
use crate::finish::Finish;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Elements that the transformed tiles of a block should have at most, and the fewest tiles of a block.
const BLOCK: usize = 1 << 17;
pub(super) const LEAST_TILES: usize = 14;
/// Shares of the work for each thread.
const SHARES_A_THREAD: usize = 4;

/// A 3x3 convolution of stride 1.
pub struct Winograd<'a> {
    /// The pictures, in tiles.
    pub tiling: Tiling<'a>,
    /// The filter.
    pub filter: &'a TransformedFilter,
    /// What follows.
    pub finish: Finish<'a, f32>,
}

/// Whether tiles of an output of this many pictures, rows and columns are enough for the algorithm to pay, with a
/// filter that is transformed once for all runs or for each.
pub fn pays(pictures: usize, (rows, columns): (usize, usize), depth: usize, out_depth: usize) -> bool {
    let tiles = pictures * rows.div_ceil(OUT) * columns.div_ceil(OUT);
    let is_filled = tiles * OUT * OUT <= 2 * pictures * rows * columns;
    depth.is_multiple_of(DEPTH_UNIT) && depth >= 32 && out_depth >= 32 && tiles >= LEAST_TILES && is_filled
}

impl Winograd<'_> {
    /// Computes the whole output, on the environment's threads.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        let columns = self.filter.columns();
        let picture = self.tiling.output.0 * self.tiling.output.1 * columns;
        let (panels, tiles) = (columns.div_ceil(WIDTH), out.len() / picture * self.tiling.tiles());
        let stride = self.tiling.stride();
        let (blocks, groups) = self.shares(env.intra_op_threads(), tiles, panels);
        let length = tiles.div_ceil(blocks);
        let memory = (0..panels).map(|panel| self.filter.panel(panel)).collect::<Result<Vec<_>>>()?;
        let out = SharedOutput::new(out, columns);
        Scratch::with(env, TAPS * length * (stride + WIDTH) + self.tiling.depth, |scratch| {
            env.parallel_for(blocks * groups, 1, &|range| {
                for index in range {
                    let (tiles, group) = (part(tiles, index / groups, blocks), part(panels, index % groups, groups));
                    let block = Block { first: tiles.start, count: tiles.len(), stride };
                    // SAFETY: each share has tiles or panels that no other share has.
                    scratch
                        .lend(|scratch| unsafe { self.block(env, block, (group.start, &memory[group]), out, scratch) });
                }
            });
            Ok(())
        })
    }

    /// Blocks of tiles and groups of panels. Each group transforms the tiles again, so there are few.
    fn shares(&self, threads: usize, tiles: usize, panels: usize) -> (usize, usize) {
        let cost = TAPS * tiles * self.tiling.depth * self.filter.columns();
        let most = (BLOCK / (TAPS * self.tiling.depth)).clamp(2 * LEAST_TILES, 4 * LEAST_TILES);
        let blocks = tiles.div_ceil(most);
        if threads == 1 || cost < 2 * TASK_COST {
            return (blocks, 1);
        }
        let wanted = (cost / TASK_COST).min(threads * SHARES_A_THREAD).next_multiple_of(threads);
        let blocks = blocks.max(wanted.min(tiles / LEAST_TILES)).max(1);
        let groups = if blocks < threads { threads.div_ceil(blocks) } else { 1 };
        (blocks, groups.min(panels))
    }

    /// Computes some panels of a block.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these columns of the tiles' pixels.
    unsafe fn block(
        &self,
        env: &dyn KernelEnv,
        block: Block,
        (first, panels): (usize, &[(&[f32], usize)]),
        out: SharedOutput<'_, f32>,
        scratch: &mut [f32],
    ) {
        let (zeros, scratch) = scratch.split_at_mut(self.tiling.depth);
        let (inputs, products) = scratch.split_at_mut(TAPS * block.count * block.stride);
        zeros.fill(0.0);
        self.tiling.transform(block, zeros, inputs);
        let tiles = tiles_of(block);
        for (index, &(panel, width)) in panels.iter().enumerate() {
            parallel::poll(env);
            let products = &mut products[..TAPS * block.count * WIDTH];
            for (tap, to) in products.chunks_exact_mut(block.count * WIDTH).enumerate() {
                let lines = self.tiling.depth * width;
                let of_next = panels.get(index + 1).and_then(|next| next.0.get(..lines));
                let strip = Strip {
                    input: &inputs[tap * block.count * block.stride..][..block.count * block.stride],
                    step: block.stride,
                    walk: Walk { rows: (1, 0), columns: (1, 0), length: self.tiling.depth },
                    panel: &panel[tap * lines..][..lines],
                    next: panel.get((tap + 1) * lines..(tap + 2) * lines).or(of_next).unwrap_or_default(),
                    width,
                    columns: (0, width),
                    finish: Finish::default(),
                    adds: false,
                    out: SharedOutput::new(to, WIDTH),
                };
                // SAFETY: the products are this thread's.
                unsafe { strip.multiply(&tiles) };
            }
            let column = (first + index) * WIDTH;
            let columns = (column, WIDTH.min(self.filter.columns() - column));
            let outputs = Outputs { tiling: self.tiling, finish: self.finish };
            // SAFETY: the columns of these tiles' pixels are nobody else's, as this function demands of its callers.
            unsafe { outputs.write(block, products, columns, out) };
        }
    }
}

/// Two segments a tile of at most as many rows as registers hold.
pub(super) fn tiles_of(block: Block) -> Vec<Tile> {
    let count = block.count.div_ceil(2 * max_length());
    let parts = (0..count).map(|index| index * block.count / count..(index + 1) * block.count / count);
    let tile = |part: std::ops::Range<usize>| {
        let length = part.len().div_ceil(2);
        let pixels = [part.start, part.end - length];
        Tile { length, inputs: pixels.map(|pixel| pixel * block.stride), pixels }
    };
    parts.map(tile).collect()
}
