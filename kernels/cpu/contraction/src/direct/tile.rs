//! Tiles of output pixels by a panel of output channels, over all taps of a window: the innermost loops of direct
//! convolutions.
//!
//! A tile is two segments of equally many pixels, each side by side in a line; both may lie in one line and overlap.
//! Its sums stay in registers over the whole depth, and what follows the product is done before they are stored.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::filter::{HALF, WIDTH};
use super::prefetch::Prefetch;
use super::walk::Walk;
use crate::finish::Finish;
use crate::register::{Plain, Register};
use crate::shared_output::SharedOutput;

/// Two segments of `length` pixels each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    /// Pixels of a segment, at most [`max_length`].
    pub(super) length: usize,
    /// Where the first pixel of each segment begins in the input.
    pub(super) inputs: [usize; 2],
    /// The first pixel of each segment in the output.
    pub(super) pixels: [usize; 2],
}

/// What the tiles of a panel have in common.
pub(super) struct Strip<'a> {
    pub(super) input: &'a [f32],
    /// Elements of the input from one pixel to the next.
    pub(super) step: usize,
    pub(super) walk: Walk,
    /// A line of `width` columns for each element that a pixel sees.
    pub(super) panel: &'a [f32],
    /// The panel that is read next, which is brought into cache meanwhile.
    pub(super) next: &'a [f32],
    /// [`HALF`] or [`WIDTH`].
    pub(super) width: usize,
    /// Position of the first column, and the number of columns that count.
    pub(super) columns: (usize, usize),
    pub(super) finish: Finish<'a, f32>,
    /// Whether products are added to what the output holds.
    pub(super) adds: bool,
    pub(super) out: SharedOutput<'a, f32>,
}

/// A factor and a value added, for each column of a panel.
struct Affine {
    scale: [f32; WIDTH],
    bias: [f32; WIDTH],
}

impl Strip<'_> {
    /// Computes the columns of these tiles.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these columns of the tiles' pixels.
    pub(super) unsafe fn multiply(&self, tiles: &[Tile]) {
        let (column, count) = self.columns;
        assert!(count <= self.width && (self.width == WIDTH || self.width == HALF), "a panel of another width");
        let depth = self.walk.depth();
        assert!(depth > 0 && depth * self.width <= self.panel.len(), "a panel is too short");
        for tile in tiles {
            let reach = self.walk.last() + (tile.length - 1) * self.step;
            assert!(tile.inputs.iter().all(|&at| at + reach < self.input.len()), "an input is too short");
            let last = |&pixel: &usize| (pixel + tile.length - 1) * self.out.stride + column + count;
            assert!(tile.pixels.iter().all(|pixel| last(pixel) <= self.out.length), "an output is too short");
        }
        let mut affine = Affine { scale: [1.0; WIDTH], bias: [0.0; WIDTH] };
        if let Some(scale) = self.finish.scale {
            affine.scale[..count].copy_from_slice(&scale[column..][..count]);
        }
        if let Some(bias) = self.finish.bias {
            affine.bias[..count].copy_from_slice(&bias[column..][..count]);
        }
        if tiles.iter().all(|tile| self.is_packed(tile)) {
            // SAFETY: what was asserted, and what the caller promises.
            unsafe { multiply_packed(self, &affine, tiles) };
        } else {
            // SAFETY: what was asserted, and what the caller promises.
            unsafe { multiply(self, &affine, tiles) };
        }
        if let Some(activation) = self.finish.activation {
            // SAFETY: the assertions above hold for these tiles, and their pixels are nobody else's.
            unsafe { activate(self, tiles, activation) };
        }
    }

    /// Whether the elements of a tile's pixels are packed: all pixels' side by side, for each element.
    fn is_packed(&self, tile: &Tile) -> bool {
        let walk = Walk { rows: (1, 0), columns: (self.walk.columns.0, 2 * tile.length), length: 1 };
        self.step == 1 && self.walk == walk && tile.inputs[1] == tile.inputs[0] + tile.length
    }

    /// `LENGTH` pixels a segment, `REGISTERS` registers from column `from` of the panel on.
    ///
    /// # Safety
    /// The processor has the instructions behind `R`; `multiply` has passed its assertions; the registers lie
    /// inside the panel.
    #[inline(always)]
    unsafe fn tile<R: Register<f32>, const LENGTH: usize, const REGISTERS: usize>(
        &self,
        affine: &Affine,
        tile: &Tile,
        (from, mut prefetch): (usize, Prefetch),
    ) {
        let (walk, step) = (self.walk, self.step);
        // The innermost loop is over the elements of a tap, or over taps of one element.
        let (taps, (count, advance)) =
            if walk.length == 1 { ((1, 0), walk.columns) } else { (walk.columns, (walk.length, 1)) };
        // SAFETY: the caller vouches for the processor; the assertions of `multiply` keep the addresses of all elements
        // of all pixels inside the input, and all lines inside the panel.
        let sums = unsafe {
            let mut sums = [[[R::splat(0.0); REGISTERS]; LENGTH]; 2];
            if self.adds {
                self.load(&mut sums, tile, from);
            }
            let mut line = self.panel.as_ptr().add(from);
            for row in 0..walk.rows.0 {
                for column in 0..taps.0 {
                    let tap = self.input.as_ptr().add(row * walk.rows.1 + column * taps.1);
                    let mut pixels = tile.inputs.map(|input| tap.add(input));
                    for _ in 0..count {
                        let columns: [R; REGISTERS] = std::array::from_fn(|c| R::load(line.add(c * R::LANES)));
                        for segment in 0..2 {
                            let mut pixel = pixels[segment];
                            for p in 0..LENGTH {
                                let x = R::splat(*pixel);
                                pixel = pixel.wrapping_add(step);
                                for c in 0..REGISTERS {
                                    sums[segment][p][c] = x.multiply_add(columns[c], sums[segment][p][c]);
                                }
                            }
                        }
                        prefetch.step();
                        line = line.wrapping_add(self.width);
                        pixels = pixels.map(|pixel| pixel.wrapping_add(advance));
                    }
                }
            }
            sums
        };
        // SAFETY: the processor has the instructions behind `R`, `multiply` has passed its assertions, and the pixels
        // are nobody else's, as this function demands of its callers.
        unsafe { self.store(&sums, affine, tile, from) };
    }

    /// As `tile`, where the elements of all pixels are packed: two segments of `LENGTH` for each step.
    ///
    /// # Safety
    /// As for `tile`.
    #[inline(always)]
    unsafe fn packed_tile<R: Register<f32>, const LENGTH: usize, const REGISTERS: usize>(
        &self,
        affine: &Affine,
        tile: &Tile,
        (from, mut prefetch): (usize, Prefetch),
    ) {
        // SAFETY: the caller vouches for the processor; the assertions of `multiply` keep all elements inside the
        // input, and all lines inside the panel.
        let sums = unsafe {
            let mut sums = [[[R::splat(0.0); REGISTERS]; LENGTH]; 2];
            if self.adds {
                self.load(&mut sums, tile, from);
            }
            let (mut line, mut pixels) = (self.panel.as_ptr().add(from), self.input.as_ptr().add(tile.inputs[0]));
            for _ in 0..self.walk.columns.0 {
                let columns: [R; REGISTERS] = std::array::from_fn(|c| R::load(line.add(c * R::LANES)));
                for segment in 0..2 {
                    for p in 0..LENGTH {
                        let x = R::splat(*pixels.add(segment * LENGTH + p));
                        for c in 0..REGISTERS {
                            sums[segment][p][c] = x.multiply_add(columns[c], sums[segment][p][c]);
                        }
                    }
                }
                prefetch.step();
                line = line.wrapping_add(self.width);
                pixels = pixels.wrapping_add(2 * LENGTH);
            }
            sums
        };
        // SAFETY: the processor has the instructions behind `R`, `multiply` has passed its assertions, and the pixels
        // are nobody else's, as this function demands of its callers.
        unsafe { self.store(&sums, affine, tile, from) };
    }

    /// Reads what the output holds.
    ///
    /// # Safety
    /// As for `tile`.
    #[inline(always)]
    unsafe fn load<R: Register<f32>, const LENGTH: usize, const REGISTERS: usize>(
        &self,
        sums: &mut [[[R; REGISTERS]; LENGTH]; 2],
        tile: &Tile,
        from: usize,
    ) {
        let count = self.columns.1 - from;
        // SAFETY: the caller vouches for the processor; the columns that count are inside the output, as `multiply`
        // asserts, and nobody else's.
        unsafe {
            for (sums, pixel) in sums.iter_mut().zip(tile.pixels) {
                for (p, sums) in sums.iter_mut().enumerate() {
                    let held = self.out.start.add((pixel + p) * self.out.stride + self.columns.0 + from).cast_const();
                    for (c, sum) in sums.iter_mut().enumerate() {
                        let at = c * R::LANES;
                        *sum = R::load_first(held.wrapping_add(at), count.saturating_sub(at));
                    }
                }
            }
        }
    }

    /// Finishes and stores the sums of a tile.
    ///
    /// # Safety
    /// As for `tile`.
    #[inline(always)]
    unsafe fn store<R: Register<f32>, const LENGTH: usize, const REGISTERS: usize>(
        &self,
        sums: &[[[R; REGISTERS]; LENGTH]; 2],
        affine: &Affine,
        tile: &Tile,
        from: usize,
    ) {
        let count = (self.columns.1 - from).min(REGISTERS * R::LANES);
        let is_full = count == REGISTERS * R::LANES;
        let column = self.columns.0 + from;
        // SAFETY: the caller vouches for the processor; the columns that count are inside the output, as `multiply`
        // asserts, and those of the side are sliced.
        unsafe {
            for (sums, pixel) in sums.iter().zip(tile.pixels) {
                for (p, sums) in sums.iter().enumerate() {
                    let to = self.out.start.add((pixel + p) * self.out.stride + column);
                    let side = self.finish.side;
                    let side = side.map(|(side, stride)| &side[(pixel + p) * stride + column..][..count]);
                    for (c, &sum) in sums.iter().enumerate() {
                        let (at, rest) = (c * R::LANES, count.saturating_sub(c * R::LANES));
                        let load = |from: *const f32| if is_full { R::load(from) } else { R::load_first(from, rest) };
                        let scale = R::load(affine.scale.as_ptr().add(from + at));
                        let mut sum = sum.multiply_add(scale, R::load(affine.bias.as_ptr().add(from + at)));
                        if let Some(side) = side {
                            sum = load(side.as_ptr().wrapping_add(at)).multiply_add(R::splat(1.0), sum);
                        }
                        if let Some((low, high)) = self.finish.bounds {
                            sum = sum.bounded(R::splat(low), R::splat(high));
                        }
                        if is_full {
                            sum.store(to.add(at));
                        } else {
                            sum.store_first(to.wrapping_add(at), rest);
                        }
                    }
                }
            }
        }
    }
}

/// The tiles of all lengths, `$registers` registers from column `$from` on.
macro_rules! by_length {
    ($strip:ident.$tile:ident, $affine:ident, $tiles:ident, $register:ty, $registers:literal, $from:expr; $($length:literal)*) => {
        for (index, tile) in $tiles.iter().enumerate() {
            let prefetch = Prefetch::share($strip.next, $strip.walk.depth(), (index, $tiles.len()));
            match tile.length {
                // SAFETY: this code is compiled for the instructions behind the register and chosen by `multiversion`;
                // the rest is forwarded to the caller.
                $($length => unsafe { $strip.$tile::<$register, $length, $registers>($affine, tile, ($from, prefetch)) },)*
                _ => panic!("a tile is too long"),
            }
        }
    };
}

/// The tiles by the method `$tile` of the strip, with the registers of the processor.
macro_rules! by_register {
    ($strip:ident.$tile:ident, $affine:ident, $tiles:ident) => {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            if $strip.width == WIDTH {
                by_length!($strip.$tile, $affine, $tiles, __m512, 2, 0; 1 2 3 4 5 6 7);
            } else {
                by_length!($strip.$tile, $affine, $tiles, __m512, 1, 0; 1 2 3 4 5 6 7);
            }
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            for from in (0..$strip.columns.1).step_by(HALF) {
                by_length!($strip.$tile, $affine, $tiles, __m256, 2, from; 1 2 3);
            }
        } else if target_cfg_f!(target_arch = "aarch64") {
            for from in (0..$strip.columns.1).step_by(HALF) {
                by_length!($strip.$tile, $affine, $tiles, Plain<f32, 4, true>, 4, from; 1 2 3);
            }
        } else {
            for from in (0..$strip.columns.1).step_by(4) {
                by_length!($strip.$tile, $affine, $tiles, Plain<f32, 4, false>, 1, from; 1 2 3);
            }
        }
    };
}

/// # Safety
/// As for `Strip::tile`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn multiply(strip: &Strip<'_>, affine: &Affine, tiles: &[Tile]) {
    by_register!(strip.tile, affine, tiles);
}

/// # Safety
/// As for `Strip::packed_tile`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn multiply_packed(strip: &Strip<'_>, affine: &Affine, tiles: &[Tile]) {
    by_register!(strip.packed_tile, affine, tiles);
}

/// Applies an activation once to each pixel of tiles, to all of a tile at a time.
///
/// # Safety
/// As for `multiply`, with tiles that have passed its assertions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn activate(strip: &Strip<'_>, tiles: &[Tile], activation: &dyn Fn(&mut [f32])) {
    let (column, count) = strip.columns;
    let mut block = [0f32; 2 * MAX_LENGTH * WIDTH];
    for tile in tiles {
        let [first, second] = tile.pixels.map(|pixel| pixel..pixel + tile.length);
        let rest = if first.contains(&second.start) { first.end..second.end } else { second };
        let pixels = first.len() + rest.len();
        let place = |pixel: usize| strip.out.start.wrapping_add(pixel * strip.out.stride + column);
        let rows = |block: *mut f32| {
            first.clone().chain(rest.clone()).zip((0..pixels).map(move |row| block.wrapping_add(row * strip.width)))
        };
        // SAFETY: the columns of these pixels are inside the output and are nobody else's; the block has room for a
        // line of the panel's width for each pixel of a tile.
        unsafe {
            rows(block.as_mut_ptr()).for_each(|(pixel, row)| copy_line(row, place(pixel), count));
            activation(&mut block[..pixels * strip.width]);
            rows(block.as_mut_ptr()).for_each(|(pixel, row)| copy_line(place(pixel), row, count));
        }
    }
}

/// Copies the columns of a pixel; all of a panel have a length that the compiler knows.
///
/// # Safety
/// As for `copy_from_nonoverlapping`.
#[inline(always)]
unsafe fn copy_line(to: *mut f32, from: *const f32, count: usize) {
    // SAFETY: the caller vouches for `count` elements on both sides, apart from each other.
    unsafe {
        match count {
            WIDTH => to.copy_from_nonoverlapping(from, WIDTH),
            HALF => to.copy_from_nonoverlapping(from, HALF),
            _ => to.copy_from_nonoverlapping(from, count),
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};

/// Pixels of the longest segment of a tile on any processor.
pub(super) const MAX_LENGTH: usize = 7;

/// Pixels of the longest segment of a tile on this processor.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma"))]
pub(super) fn max_length() -> usize {
    if target_cfg_f!(target_feature = "avx512f") { MAX_LENGTH } else { 3 }
}

/// Pixels of a tile on this processor.
pub fn tile_pixels() -> usize {
    2 * max_length()
}
