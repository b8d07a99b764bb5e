//! Products of transformed tiles transformed back to pixels of the output, and what follows, for Winograd's algorithm.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions; threads share an output"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::filter::WIDTH;
use super::tiling::{Block, FAR, FAR2, FAR3, IN, NEAR, NEAR2, NEAR3, OUT, TAPS, Tiling};
use crate::finish::Finish;
use crate::register::{Plain, Register};
use crate::shared_output::SharedOutput;

/// What the products of tiles become.
#[derive(Clone, Copy)]
pub(super) struct Outputs<'a> {
    pub(super) tiling: Tiling<'a>,
    pub(super) finish: Finish<'a, f32>,
}

impl Outputs<'_> {
    /// Transforms the products of a block, [`WIDTH`] for each tile and each of [`TAPS`] elements of it, and writes
    /// these columns (the first and the number) of its pixels.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these columns of the tiles' pixels.
    pub(super) unsafe fn write(
        &self,
        block: Block,
        products: &[f32],
        columns: (usize, usize),
        out: SharedOutput<'_, f32>,
    ) {
        // SAFETY: the columns are nobody else's, as this function demands of its callers.
        unsafe { transform_outputs(self, block, products, columns, out) };
    }

    /// # Safety
    /// As for `write`; the processor has the instructions behind `R`.
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
        let combined = |a: R, factor: f32, b: R, other: f32| plus(b, other, plus(a, factor, R::splat(0.0)));
        [
            plus(far, 1.0, plus(near, 1.0, m[0])),
            combined(near_odd, NEAR, far_odd, FAR),
            combined(near, NEAR2, far, FAR2),
            plus(far_odd, FAR3, plus(near_odd, NEAR3, m[5])),
        ]
    }
}

/// # Safety
/// As for `Outputs::write`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn transform_outputs(
    outputs: &Outputs<'_>,
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
            outputs.transform_outputs::<__m512>(block, products, columns, out);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            outputs.transform_outputs::<__m256>(block, products, columns, out);
        } else if target_cfg_f!(target_arch = "aarch64") {
            outputs.transform_outputs::<Plain<f32, 4, true>>(block, products, columns, out);
        } else {
            outputs.transform_outputs::<Plain<f32, 4, false>>(block, products, columns, out);
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
