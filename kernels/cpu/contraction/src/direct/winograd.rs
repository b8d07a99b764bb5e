//! 3x3 convolutions of stride 1 by Winograd's algorithm F(4x4, 3x3): tiles of 6x6 input pixels and the filter are
//! transformed, multiplied element by element (36 matrix products over the channels), and transformed back to tiles of
//! 4x4 output pixels, with a quarter of the multiplications.
//!
//! The transforms are those of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", for the points 0,
//! 1, -1, 2, -2 and infinity.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions; threads share an output"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink::{KernelEnv, Result, parallel};

use super::filter::WIDTH;
use super::part;
use super::tile::{Strip, Tile, max_length};
use super::tiling::{Block, DEPTH_UNIT, IN, OUT, TAPS, Tiling};
use super::transformed::TransformedFilter;
use super::walk::Walk;
use crate::TASK_COST;
use crate::finish::Finish;
use crate::register::{Plain, Register};
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Elements that the transformed tiles of a block should have at most, and the fewest tiles of a block.
const BLOCK: usize = 1 << 17;
const LEAST_TILES: usize = 14;
/// Tiles for which it pays to transform a filter for one run.
const LEAST_TILES_AT_ONCE: usize = 48;
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
pub fn pays(
    pictures: usize,
    (rows, columns): (usize, usize),
    depth: usize,
    out_depth: usize,
    is_constant: bool,
) -> bool {
    let tiles = pictures * rows.div_ceil(OUT) * columns.div_ceil(OUT);
    let is_filled = tiles * OUT * OUT <= 2 * pictures * rows * columns;
    let least = if is_constant { LEAST_TILES } else { LEAST_TILES_AT_ONCE };
    depth.is_multiple_of(DEPTH_UNIT) && depth >= 32 && out_depth >= 32 && tiles >= least && is_filled
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
            // SAFETY: the columns of these tiles' pixels are nobody else's, as this function demands of its callers.
            unsafe { transform_outputs(self, block, products, columns, out) };
        }
    }

    /// # Safety
    /// As for `block`; the processor has the instructions behind `R`.
    #[inline(always)]
    unsafe fn transform_outputs<R: Register<f32>>(
        &self,
        block: Block,
        products: &[f32],
        columns: (usize, usize),
        out: SharedOutput<'_, f32>,
    ) {
        assert!(products.len() >= TAPS * block.count * WIDTH, "products are missing");
        let tap_step = block.count * WIDTH;
        let mut values = [0f32; OUT * OUT * WIDTH];
        for tile in 0..block.count {
            for from in (0..columns.1).step_by(R::LANES) {
                // SAFETY: the assertion keeps the registers of all taps inside, which begin below `WIDTH`, as do those
                // of `values`.
                unsafe {
                    let product = products.as_ptr().add(tile * WIDTH + from);
                    let mut rows = [[R::splat(0.0); IN]; OUT];
                    for column in 0..IN {
                        let line = output_line(std::array::from_fn(|row| {
                            R::load(product.add((row * IN + column) * tap_step))
                        }));
                        (0..OUT).for_each(|row| rows[row][column] = line[row]);
                    }
                    for (i, row) in rows.into_iter().enumerate() {
                        for (j, value) in output_line(row).into_iter().enumerate() {
                            value.store(values.as_mut_ptr().add((i * OUT + j) * WIDTH + from));
                        }
                    }
                }
            }
            // SAFETY: the processor has the instructions behind `R` and the pixels are nobody else's, as this function
            // demands of its callers.
            unsafe { self.finish_tile::<R>(block.first + tile, &mut values, columns, out) };
        }
    }

    /// Finishes and stores the pixels of a tile that are inside the output, [`WIDTH`] values each.
    ///
    /// # Safety
    /// As for `transform_outputs`.
    #[inline(always)]
    unsafe fn finish_tile<R: Register<f32>>(
        &self,
        tile: usize,
        values: &mut [f32; OUT * OUT * WIDTH],
        (column, count): (usize, usize),
        out: SharedOutput<'_, f32>,
    ) {
        let (picture, [row, first]) = self.tiling.place(tile);
        let (rows, columns) = self.tiling.output;
        let pixel_of = |index: usize| {
            let (y, x) = (row + index / OUT, first + index % OUT);
            (y < rows && x < columns).then_some((picture * rows + y) * columns + x)
        };
        let one = [1f32; WIDTH];
        let mut block = [[0f32; WIDTH]; 3];
        let [scale, bias, side] = &mut block;
        scale[..count].copy_from_slice(self.finish.scale.map_or(&one[..count], |scale| &scale[column..][..count]));
        if let Some(values) = self.finish.bias {
            bias[..count].copy_from_slice(&values[column..][..count]);
        }
        for (index, values) in values.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
            let Some(pixel) = pixel_of(index) else { continue };
            if let Some((values, stride)) = self.finish.side {
                side[..count].copy_from_slice(&values[pixel * stride + column..][..count]);
            }
            for from in (0..WIDTH).step_by(R::LANES) {
                // SAFETY: all arrays have `WIDTH` numbers.
                unsafe {
                    let load = |numbers: &[f32; WIDTH]| R::load(numbers.as_ptr().add(from));
                    let mut value = load(values).multiply_add(load(scale), load(bias));
                    value = load(side).multiply_add(R::splat(1.0), value);
                    if let Some((low, high)) = self.finish.bounds {
                        value = value.bounded(R::splat(low), R::splat(high));
                    }
                    value.store(values.as_mut_ptr().add(from));
                }
            }
        }
        if let Some(activation) = self.finish.activation {
            activation(values);
        }
        for (index, values) in values.as_chunks::<WIDTH>().0.iter().enumerate() {
            if let Some(pixel) = pixel_of(index) {
                // SAFETY: these columns of the pixel are this thread's; `copy_from` checks that they are inside.
                unsafe { out.copy_from(pixel * out.stride + column, &values[..count]) };
            }
        }
    }
}

/// Two segments a tile of at most as many rows as registers hold.
fn tiles_of(block: Block) -> Vec<Tile> {
    let count = block.count.div_ceil(2 * max_length());
    let parts = (0..count).map(|index| index * block.count / count..(index + 1) * block.count / count);
    let tile = |part: std::ops::Range<usize>| {
        let length = part.len().div_ceil(2);
        let pixels = [part.start, part.end - length];
        Tile { length, inputs: pixels.map(|pixel| pixel * block.stride), pixels }
    };
    parts.map(tile).collect()
}

/// Six products transformed back along one axis.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn output_line<R: Register<f32>>(m: [R; IN]) -> [R; OUT] {
    // SAFETY: the caller vouches for the processor.
    unsafe {
        let plus = |a: R, factor: f32, b: R| a.multiply_add(R::splat(factor), b);
        let (near, near_odd) = (plus(m[2], 1.0, m[1]), plus(m[2], -1.0, m[1]));
        let (far, far_odd) = (plus(m[4], 1.0, m[3]), plus(m[4], -1.0, m[3]));
        [
            plus(far, 1.0, plus(near, 1.0, m[0])),
            plus(far_odd, 2.0, near_odd),
            plus(far, 4.0, near),
            plus(m[5], 1.0, plus(far_odd, 8.0, near_odd)),
        ]
    }
}

/// # Safety
/// As for `Winograd::block`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn transform_outputs(
    w: &Winograd<'_>,
    block: Block,
    products: &[f32],
    columns: (usize, usize),
    out: SharedOutput<'_, f32>,
) {
    // SAFETY: each branch is compiled for the instructions behind its register and chosen by `multiversion`; that the
    // pixels are nobody else's is demanded of the callers of this function.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            w.transform_outputs::<__m512>(block, products, columns, out);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            w.transform_outputs::<__m256>(block, products, columns, out);
        } else if target_cfg_f!(target_arch = "aarch64") {
            w.transform_outputs::<Plain<f32, 4, true>>(block, products, columns, out);
        } else {
            w.transform_outputs::<Plain<f32, 4, false>>(block, products, columns, out);
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
