//! The gradient of a 3x3 convolution of stride 1 with respect to its filter by Winograd's algorithm F(3x3, 4x4): tiles
//! of 6x6 input pixels and tiles of 4x4 pixels of the output's gradient are transformed, multiplied element by element
//! and summed over all tiles (36 matrix products), and the sums are transformed to the 3x3 taps.
//!
//! It is the algorithm of `winograd` with filter and output exchanged: the points are the same, and so is the transform
//! of the input.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions; threads share sums"
)]

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink::memory::try_filled;
use oplink::{DType, KernelEnv, Result, Shape, Tensor, parallel};
use oplink_cpu_support::parallel::for_each_row;

use super::filter::WIDTH;
use super::filter_gradient::tiles;
use super::tile::Strip;
use super::tiling::{
    AT_FAR, AT_NEAR, AT_ZERO, Block, DEPTH_UNIT, FAR, FAR2, IN, NEAR, NEAR2, OUT, TAPS, Tiling, WINDOW,
};
use super::walk::Walk;
use crate::finish::Finish;
use crate::register::{Plain, Register};
use crate::shared_output::SharedOutput;

/// Tiles for which the algorithm pays.
const LEAST_TILES: usize = 48;
/// Tiles of a block at most: a panel of its gradients stays in cache.
const MOST_TILES: usize = 192;
/// Elements that the transformed tiles of all threads should have at most.
const ELEMENTS: usize = 1 << 22;
/// Elements that one thread should at least transform.
const GRAIN: usize = 1 << 14;

/// The gradient of a filter.
pub struct WinogradGradient<'a> {
    /// The pictures, in tiles.
    pub tiling: Tiling<'a>,
    /// The gradient of the output, `out_depth` elements for each pixel.
    pub gradient: &'a [f32],
    /// Output channels, a multiple of 16.
    pub out_depth: usize,
}

/// Whether the algorithm pays for an output of this many pictures, rows and columns.
pub fn pays(pictures: usize, (rows, columns): (usize, usize), depth: usize, out_depth: usize) -> bool {
    let tiles = pictures * rows.div_ceil(OUT) * columns.div_ceil(OUT);
    let is_filled = tiles * OUT * OUT <= 2 * pictures * rows * columns;
    let fits = |depth: usize| depth.is_multiple_of(DEPTH_UNIT) && depth >= 2 * DEPTH_UNIT;
    fits(depth) && fits(out_depth) && tiles >= LEAST_TILES && is_filled
}

/// Some tiles, transformed.
struct Part<'a> {
    block: Block,
    /// For each of [`TAPS`] elements of a tile, the input channels of all tiles.
    inputs: &'a [f32],
    /// The same of the output's gradient, panel by panel of channels.
    gradients: &'a [f32],
}

impl WinogradGradient<'_> {
    /// Computes the whole gradient on the environment's threads.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        let (depth, stride, panels) = (self.tiling.depth, self.tiling.stride(), self.out_depth.div_ceil(WIDTH));
        let picture = self.tiling.output.0 * self.tiling.output.1 * self.out_depth;
        let all = self.gradient.len() / picture * self.tiling.tiles();
        let each = TAPS * (stride + self.out_depth);
        let most = (ELEMENTS / each).clamp(1, MOST_TILES);
        let count = all.div_ceil(all.div_ceil(most));
        let threads = env.intra_op_threads();
        let allocate = |length: usize| Tensor::allocate(DType::Float, Shape::new(&[length]), env.allocator());
        let (mut memory, mut sums) = (allocate(threads * count * each)?, allocate(TAPS * depth * self.out_depth)?);
        let (memory, sums) = (memory.as_mut_slice::<f32>()?, sums.as_mut_slice::<f32>()?);
        let zeros = try_filled(0f32, depth)?;
        for first in (0..all).step_by(threads * count) {
            let block = |index: usize| {
                let first = (first + index * count).min(all);
                Block { first, count: count.min(all - first), stride }
            };
            for_each_row(env, memory, count * each, GRAIN, &|index, to| {
                let block = block(index);
                let (inputs, gradients) = to.split_at_mut(TAPS * block.count * stride);
                self.tiling.transform(block, &zeros, inputs);
                transform_gradients(self, block, gradients);
            });
            let parts: Vec<Part<'_>> = memory
                .chunks_exact(count * each)
                .enumerate()
                .map(|(index, from)| {
                    let (inputs, gradients) = from.split_at(TAPS * block(index).count * stride);
                    Part { block: block(index), inputs, gradients }
                })
                .filter(|part| part.block.count > 0)
                .collect();
            let shared = SharedOutput::new(sums, self.out_depth);
            env.parallel_for(TAPS * panels, 1, &|range| {
                for share in range {
                    parallel::poll(env);
                    // SAFETY: each share has sums that no other share has.
                    unsafe { self.add(&parts, (share / panels, share % panels), first > 0, shared) };
                }
            });
        }
        let out = SharedOutput::new(out, self.out_depth);
        let grain = GRAIN.div_ceil(TAPS * self.out_depth);
        // SAFETY: each share has channels that no other share has.
        env.parallel_for(depth, grain, &|channels| unsafe { transform_sums(self, sums, channels, out) });
        Ok(())
    }

    /// Adds to the sums of an element of the tiles, for a panel of output channels, the products of all parts; those of
    /// the first part are the first ones unless `adds`.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these sums.
    unsafe fn add(
        &self,
        parts: &[Part<'_>],
        (tap, panel): (usize, usize),
        mut adds: bool,
        sums: SharedOutput<'_, f32>,
    ) {
        let (depth, column) = (self.tiling.depth, panel * WIDTH);
        let width = WIDTH.min(self.out_depth - column);
        for Part { block, inputs, gradients } in parts {
            let line = block.count * block.stride;
            let strip = Strip {
                input: &inputs[tap * line..][..line],
                step: 1,
                walk: Walk { rows: (1, 0), columns: (block.count, block.stride), length: 1 },
                panel: &gradients[(column * TAPS + tap * width) * block.count..][..block.count * width],
                next: &[],
                width,
                columns: (column, width),
                finish: Finish::default(),
                adds,
                out: sums,
            };
            // SAFETY: the sums are nobody else's, as this function demands of its callers.
            unsafe { strip.multiply(&tiles(depth, tap * depth)) };
            adds = true;
        }
    }

    /// Where the pixels of a tile of the output's gradient are; none outside.
    fn pixels(&self, tile: usize) -> [[Option<&[f32]>; OUT]; OUT] {
        let (picture, [row, column]) = self.tiling.place(tile);
        let (rows, columns) = self.tiling.output;
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (y, x) = (row + i, column + j);
                let at = ((picture * rows + y) * columns + x) * self.out_depth;
                (y < rows && x < columns).then(|| &self.gradient[at..][..self.out_depth])
            })
        })
    }

    /// # Safety
    /// The processor has the instructions behind `R`.
    #[inline(always)]
    unsafe fn transform_gradients<R: Register<f32>>(&self, block: Block, to: &mut [f32]) {
        assert!(to.len() >= TAPS * block.count * self.out_depth, "transformed gradients lack room");
        assert!(self.out_depth.is_multiple_of(R::LANES), "channels do not fill registers");
        for tile in 0..block.count {
            let pixels = self.pixels(block.first + tile);
            for channel in (0..self.out_depth).step_by(R::LANES) {
                let column = channel / WIDTH * WIDTH;
                let width = WIDTH.min(self.out_depth - column);
                // SAFETY: pixels have `out_depth` channels; the assertions keep those of all elements of all tiles in
                // `to`.
                unsafe {
                    let load = |pixel: Option<&[f32]>| match pixel {
                        Some(pixel) => R::load(pixel.as_ptr().add(channel)),
                        None => R::splat(0.0),
                    };
                    let mut rows = [[R::splat(0.0); OUT]; IN];
                    for column in 0..OUT {
                        let line = gradient_line(std::array::from_fn(|row| load(pixels[row][column])));
                        (0..IN).for_each(|row| rows[row][column] = line[row]);
                    }
                    let to = to.as_mut_ptr().add(column * TAPS * block.count + tile * width + channel - column);
                    for (i, row) in rows.into_iter().enumerate() {
                        for (j, value) in gradient_line(row).into_iter().enumerate() {
                            value.store(to.add((i * IN + j) * block.count * width));
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// The processor has the instructions behind `R`; while this runs, nobody else reads or writes the gradients of
    /// these input channels.
    #[inline(always)]
    unsafe fn transform_sums<R: Register<f32>>(
        &self,
        sums: &[f32],
        channels: Range<usize>,
        out: SharedOutput<'_, f32>,
    ) {
        let depth = self.tiling.depth;
        assert!(sums.len() >= TAPS * depth * self.out_depth && channels.end <= depth, "sums are missing");
        assert!(self.out_depth.is_multiple_of(R::LANES) && R::LANES <= WIDTH, "channels do not fill registers");
        let mut block = [0f32; WIDTH];
        for channel in channels {
            for from in (0..self.out_depth).step_by(R::LANES) {
                // SAFETY: the assertions keep the sums of all elements inside; `block` has room for a register; the
                // gradients of this channel are nobody else's.
                unsafe {
                    let sum = |tap: usize| R::load(sums.as_ptr().add((tap * depth + channel) * self.out_depth + from));
                    let mut rows = [[R::splat(0.0); IN]; WINDOW];
                    for column in 0..IN {
                        let line = window_line(std::array::from_fn(|row| sum(row * IN + column)));
                        (0..WINDOW).for_each(|row| rows[row][column] = line[row]);
                    }
                    for (i, row) in rows.into_iter().enumerate() {
                        for (j, value) in window_line(row).into_iter().enumerate() {
                            value.store(block.as_mut_ptr());
                            let at = ((i * WINDOW + j) * depth + channel) * self.out_depth + from;
                            out.copy_from(at, &block[..R::LANES]);
                        }
                    }
                }
            }
        }
    }
}

/// Four values of the output's gradient transformed along one axis.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn gradient_line<R: Register<f32>>(d: [R; OUT]) -> [R; IN] {
    // SAFETY: the caller vouches for the processor.
    unsafe {
        let plus = |a: R, factor: f32, b: R| a.multiply_add(R::splat(factor), b);
        let scaled = |a: R, factor: f32| plus(a, factor, R::splat(0.0));
        let (near, near_odd) = (scaled(plus(d[2], NEAR2, d[0]), AT_NEAR), plus(d[3], NEAR2, d[1]));
        let (far, far_odd) = (scaled(plus(d[2], FAR2, d[0]), AT_FAR), plus(d[3], FAR2, d[1]));
        [
            scaled(d[0], AT_ZERO),
            plus(near_odd, NEAR * AT_NEAR, near),
            plus(near_odd, -NEAR * AT_NEAR, near),
            plus(far_odd, FAR * AT_FAR, far),
            plus(far_odd, -FAR * AT_FAR, far),
            d[3],
        ]
    }
}

/// Six sums transformed to three taps along one axis.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn window_line<R: Register<f32>>(m: [R; IN]) -> [R; WINDOW] {
    // SAFETY: the caller vouches for the processor.
    unsafe {
        let plus = |a: R, factor: f32, b: R| a.multiply_add(R::splat(factor), b);
        let (near, near_odd) = (plus(m[2], 1.0, m[1]), plus(m[2], -1.0, m[1]));
        let (far, far_odd) = (plus(m[4], 1.0, m[3]), plus(m[4], -1.0, m[3]));
        let middle = plus(far_odd, FAR, plus(near_odd, NEAR, R::splat(0.0)));
        [plus(far, 1.0, plus(near, 1.0, m[0])), middle, plus(far, FAR2, plus(near, NEAR2, m[5]))]
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn transform_gradients(w: &WinogradGradient<'_>, block: Block, to: &mut [f32]) {
    // SAFETY: each branch is compiled for the instructions behind its register and chosen by `multiversion`.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            w.transform_gradients::<__m512>(block, to);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            w.transform_gradients::<__m256>(block, to);
        } else if target_cfg_f!(target_arch = "aarch64") {
            w.transform_gradients::<Plain<f32, 4, true>>(block, to);
        } else {
            w.transform_gradients::<Plain<f32, 4, false>>(block, to);
        }
    }
}

/// # Safety
/// While this runs, nobody else reads or writes the gradients of these input channels.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn transform_sums(w: &WinogradGradient<'_>, sums: &[f32], channels: Range<usize>, out: SharedOutput<'_, f32>) {
    // SAFETY: each branch is compiled for the instructions behind its register and chosen by `multiversion`; that the
    // gradients are nobody else's is demanded of the callers of this function.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            w.transform_sums::<__m512>(sums, channels, out);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            w.transform_sums::<__m256>(sums, channels, out);
        } else if target_cfg_f!(target_arch = "aarch64") {
            w.transform_sums::<Plain<f32, 4, true>>(sums, channels, out);
        } else {
            w.transform_sums::<Plain<f32, 4, false>>(sums, channels, out);
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
