//! Pictures in tiles of 6x6 pixels, which overlap by two, transformed for Winograd's algorithm with the points 0,
//! [`NEAR`], -[`NEAR`], [`FAR`], -[`FAR`] and infinity.
//!
//! With these points the error is about half of that with 1 and 2 in the root mean square, and a quarter in the largest
//! element; their squares and cubes are numbers of single precision. That points other than small integers are better
//! is from Barabasz et al., "Error Analysis and Improving the Accuracy of Winograd Convolution for Deep Neural
//! Networks".
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::copied_stride;
use crate::register::{Plain, Register};

/// Extent of a tile of the input, and its elements.
pub(super) const IN: usize = 6;
pub(super) const TAPS: usize = IN * IN;
/// Extent of a window.
pub(super) const WINDOW: usize = 3;
/// Extent of a tile of the output.
pub(super) const OUT: usize = 4;
/// The points that are no integers.
pub(super) const NEAR: f32 = 0.75;
pub(super) const FAR: f32 = 1.5;
pub(super) const NEAR2: f32 = NEAR * NEAR;
pub(super) const FAR2: f32 = FAR * FAR;
pub(super) const NEAR3: f32 = NEAR2 * NEAR;
pub(super) const FAR3: f32 = FAR2 * FAR;
/// What the polynomials of the points are divided by on the side of the filter: products of the differences to all
/// other points.
pub(super) const AT_ZERO: f32 = 1.0 / (NEAR2 * FAR2);
pub(super) const AT_NEAR: f32 = 1.0 / (2.0 * NEAR2 * (NEAR2 - FAR2));
pub(super) const AT_FAR: f32 = 1.0 / (2.0 * FAR2 * (FAR2 - NEAR2));
/// Input channels are a multiple of this.
pub(super) const DEPTH_UNIT: usize = 16;

/// The pictures that a 3x3 window of stride 1 moves over.
#[derive(Clone, Copy)]
pub struct Tiling<'a> {
    /// The pictures, a pixel of `depth` channels after the other.
    pub image: &'a [f32],
    /// Channels of a pixel, a multiple of 16.
    pub depth: usize,
    /// Rows and columns of a picture.
    pub input: (usize, usize),
    /// Rows and columns of a picture of the output.
    pub output: (usize, usize),
    /// Rows and columns of zeros before a picture.
    pub before: (usize, usize),
}

/// Tiles that are computed together.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The first tile, counted over all pictures, and their number.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Elements from one transformed tile to the next.
    pub(super) stride: usize,
}

impl Tiling<'_> {
    /// Tiles of a picture.
    pub(super) fn tiles(&self) -> usize {
        self.output.0.div_ceil(OUT) * self.output.1.div_ceil(OUT)
    }

    /// Elements from one transformed tile to the next.
    pub(super) fn stride(&self) -> usize {
        copied_stride(self.depth)
    }

    /// Fills `to` with the transformed tiles of a block: for each of [`TAPS`] elements of a tile, the channels of all
    /// tiles. `zeros` are as many as channels.
    pub(super) fn transform(&self, block: Block, zeros: &[f32], to: &mut [f32]) {
        transform_inputs(self, block, zeros, to);
    }

    /// Picture, and first row and column in the output, of a tile.
    pub(super) fn place(&self, tile: usize) -> (usize, [usize; 2]) {
        let (tiles, across) = (self.tiles(), self.output.1.div_ceil(OUT));
        (tile / tiles, [tile % tiles / across * OUT, tile % tiles % across * OUT])
    }

    /// Where the pixels of a tile are: in the image, or `zeros` outside.
    fn pixels<'p>(&'p self, tile: usize, zeros: &'p [f32]) -> [&'p [f32]; TAPS] {
        let (picture, [row, column]) = self.place(tile);
        let (rows, columns) = self.input;
        std::array::from_fn(|tap| {
            let y = (row + tap / IN).wrapping_sub(self.before.0);
            let x = (column + tap % IN).wrapping_sub(self.before.1);
            if y < rows && x < columns {
                &self.image[((picture * rows + y) * columns + x) * self.depth..][..self.depth]
            } else {
                &zeros[..self.depth]
            }
        })
    }

    /// # Safety
    /// The processor has the instructions behind `R`.
    #[inline(always)]
    unsafe fn transform_inputs<R: Register<f32>>(&self, block: Block, zeros: &[f32], to: &mut [f32]) {
        assert!(self.depth.is_multiple_of(R::LANES) && self.depth <= block.stride, "channels do not fill registers");
        assert!(to.len() >= TAPS * block.count * block.stride, "transformed tiles lack room");
        let tap_step = block.count * block.stride;
        for tile in 0..block.count {
            let pixels = self.pixels(block.first + tile, zeros);
            for channel in (0..self.depth).step_by(R::LANES) {
                // SAFETY: the pixels have `depth` channels, the assertions keep the channels of all taps in `to`.
                unsafe {
                    let mut rows = [[R::splat(0.0); IN]; IN];
                    for column in 0..IN {
                        let load = |row: usize| R::load(pixels[row * IN + column].as_ptr().add(channel));
                        let line = input_line(std::array::from_fn(load));
                        (0..IN).for_each(|row| rows[row][column] = line[row]);
                    }
                    let to = to.as_mut_ptr().add(tile * block.stride + channel);
                    for (i, row) in rows.into_iter().enumerate() {
                        for (j, value) in input_line(row).into_iter().enumerate() {
                            value.store(to.add((i * IN + j) * tap_step));
                        }
                    }
                }
            }
        }
    }
}

/// Six values of the input transformed along one axis.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn input_line<R: Register<f32>>(d: [R; IN]) -> [R; IN] {
    // SAFETY: the caller vouches for the processor.
    unsafe {
        let plus = |a: R, factor: f32, b: R| a.multiply_add(R::splat(factor), b);
        let (near, near_odd) = (plus(d[2], -FAR2, d[4]), plus(d[1], -FAR2, d[3]));
        let (far, far_odd) = (plus(d[2], -NEAR2, d[4]), plus(d[1], -NEAR2, d[3]));
        let outer = |a: R, b: R, c: R| plus(a, NEAR2 * FAR2, plus(b, -(NEAR2 + FAR2), c));
        [
            outer(d[0], d[2], d[4]),
            plus(near_odd, NEAR, near),
            plus(near_odd, -NEAR, near),
            plus(far_odd, FAR, far),
            plus(far_odd, -FAR, far),
            outer(d[1], d[3], d[5]),
        ]
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn transform_inputs(t: &Tiling<'_>, block: Block, zeros: &[f32], to: &mut [f32]) {
    // SAFETY: each branch is compiled for the instructions behind its register and chosen by `multiversion`.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            t.transform_inputs::<__m512>(block, zeros, to);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            t.transform_inputs::<__m256>(block, zeros, to);
        } else if target_cfg_f!(target_arch = "aarch64") {
            t.transform_inputs::<Plain<f32, 4, true>>(block, zeros, to);
        } else {
            t.transform_inputs::<Plain<f32, 4, false>>(block, zeros, to);
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
