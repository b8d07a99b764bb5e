//! Winograd's algorithm with a filter that is transformed for one run: panel by panel of output channels, each of which
//! is multiplied by all tiles while it is in cache.
#![allow(unsafe_code, reason = "room: threads share an output")]

use std::ops::Range;

use oplink::memory::try_filled;
use oplink::{DType, KernelEnv, Result, Shape, Tensor, parallel};
use oplink_cpu_support::parallel::for_each_row;

use super::filter::WIDTH;
use super::outputs::Outputs;
use super::part;
use super::tile::Strip;
use super::tiling::{Block, TAPS, Tiling};
use super::transformed::{TapPanel, TransformedFilter};
use super::walk::Walk;
use super::winograd::{LEAST_TILES, Winograd, tiles_of};
use crate::finish::Finish;
use crate::matrix::Matrix;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Tiles at most whose transforms each panel reads again; where there are more, the whole filter is transformed first.
const MOST_TILES: usize = 128;
/// Input channels of which a panel is transformed at a time, at most: the transform stays in cache.
const CHANNELS: usize = 256;

/// A 3x3 convolution of stride 1.
pub struct WinogradOnce<'a> {
    /// The pictures, in tiles.
    pub tiling: Tiling<'a>,
    /// The nine taps of the filter, each a matrix of input channels by output channels.
    pub taps: &'a [Matrix<'a, f32>],
    /// What follows.
    pub finish: Finish<'a, f32>,
}

impl WinogradOnce<'_> {
    /// Computes the whole output, on the environment's threads.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        let Self { tiling, taps, finish } = *self;
        let columns = taps.first().map_or(0, Matrix::columns);
        let tiles = out.len() / (tiling.output.0 * tiling.output.1 * columns).max(1) * tiling.tiles();
        if tiles > MOST_TILES {
            let filter = &TransformedFilter::of_taps(env, taps)?;
            return Winograd { tiling, filter, finish }.compute(env, out);
        }
        let count = env.intra_op_threads().min(tiles / LEAST_TILES).max(1);
        let stride = tiling.stride();
        let block = |index: usize| {
            let tiles = part(tiles, index, count);
            Block { first: tiles.start, count: tiles.len(), stride }
        };
        let (blocks, zeros): (Vec<_>, _) = ((0..count).map(block).collect(), try_filled(0f32, tiling.depth)?);
        let inputs = TAPS * tiles.div_ceil(count) * stride;
        let mut memory = Tensor::allocate(DType::Float, Shape::new(&[count, inputs]), env.allocator())?;
        for_each_row(env, memory.as_mut_slice::<f32>()?, inputs, 1, &|index, to| {
            tiling.transform(blocks[index], &zeros, to);
        });
        let memory = memory.as_slice::<f32>()?;
        let parts: Vec<_> = blocks.into_iter().zip(memory.chunks_exact(inputs)).collect();
        let out = SharedOutput::new(out, columns);
        let channels = tiling.depth.min(CHANNELS);
        let step = channels * WIDTH + WIDTH;
        let lengths = [TapPanel::scratch(channels), TAPS * step, TAPS * tiles * WIDTH];
        Scratch::with(env, lengths.iter().sum(), |scratch| {
            env.parallel_for(columns.div_ceil(WIDTH), 1, &|range| {
                for index in range {
                    let panel = TapPanel::new(taps, index);
                    scratch.lend(|scratch| {
                        let (packed, scratch) = scratch.split_at_mut(lengths[0]);
                        let (transformed, products) = scratch.split_at_mut(lengths[1]);
                        let depth = tiling.depth.div_ceil(channels);
                        for at in 0..depth {
                            parallel::poll(env);
                            let channels = part(tiling.depth, at, depth);
                            panel.transform(channels.clone(), packed, (transformed, step));
                            multiply(&parts, (channels, tiling.depth), (transformed, step, panel.width), products);
                        }
                        let mut products = &*products;
                        for (block, _) in &parts {
                            let (of_block, others) = products.split_at(TAPS * block.count * WIDTH);
                            products = others;
                            let outputs = Outputs { tiling, finish };
                            // SAFETY: each share has columns that no other share has.
                            unsafe { outputs.write(*block, of_block, panel.columns, out) };
                        }
                    });
                }
            });
            Ok(())
        })
    }
}

/// Adds the products of the transformed tiles of all blocks, at these of `depth` channels, to those of the channels
/// before. `transformed` has a matrix of lines of `width` every `step` elements.
fn multiply(
    parts: &[(Block, &[f32])],
    (channels, depth): (Range<usize>, usize),
    (transformed, step, width): (&[f32], usize, usize),
    mut products: &mut [f32],
) {
    let lines = channels.len() * width;
    for (block, inputs) in parts {
        let (of_block, others) = products.split_at_mut(TAPS * block.count * WIDTH);
        products = others;
        let (tiles, of_tap) = (tiles_of(*block), block.count * block.stride);
        for (tap, to) in of_block.chunks_exact_mut(block.count * WIDTH).enumerate() {
            let next = inputs.get((tap + 1) * of_tap..(tap + 2) * of_tap).filter(|_| channels.len() == depth);
            let strip = Strip {
                input: &inputs[tap * of_tap + channels.start..(tap + 1) * of_tap],
                step: block.stride,
                walk: Walk { rows: (1, 0), columns: (1, 0), length: channels.len() },
                panel: &transformed[tap * step..][..lines],
                next: next.unwrap_or_default(),
                width,
                columns: (0, width),
                finish: Finish::default(),
                adds: channels.start > 0,
                out: SharedOutput::new(to, WIDTH),
            };
            // SAFETY: the products are this thread's.
            unsafe { strip.multiply(&tiles) };
        }
    }
}
