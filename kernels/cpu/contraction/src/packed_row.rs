//! Products of a row vector with panels: some panels at a time, so that more sums are open than a processor waits for.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
use std::cell::Cell;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::direct::WIDTH;
use super::register::{Plain, Register};

/// Columns that are multiplied at a time.
pub(crate) const COLUMNS: usize = MOST_PANELS * WIDTH;
const MOST_PANELS: usize = 4;

thread_local! {
    /// Whether the thread reads the next panels from the last ones to the first.
    static BACKWARDS: Cell<bool> = const { Cell::new(false) };
}

/// Adds to `out` the products of `x` with panels of as many lines, one panel after the other; each sum in the order of
/// `x`.
///
/// A thread reads panels forwards and backwards in turn: a loop that multiplies by a matrix as large as the cache finds
/// those that it read last.
///
/// # Panics
/// Where `out` has more columns than there are in `lines`.
pub(crate) fn add_row(x: &[f32], lines: &[f32], out: &mut [f32]) {
    let panel = x.len() * WIDTH;
    if panel == 0 || out.is_empty() {
        return;
    }
    let panels = out.len().div_ceil(WIDTH);
    let blocks = lines[..panels * panel].chunks(MOST_PANELS * panel).zip(out.chunks_mut(COLUMNS));
    if BACKWARDS.replace(!BACKWARDS.get()) {
        blocks.rev().for_each(|(lines, out)| add_block(x, lines, out));
    } else {
        blocks.for_each(|(lines, out)| add_block(x, lines, out));
    }
}

/// Adds the products with some panels.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_block(x: &[f32], lines: &[f32], out: &mut [f32]) {
    // SAFETY: this code is compiled for the instructions behind the register and chosen by `multiversion`.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            add_panels::<__m512, 4, 2>(x, lines, out);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            add_panels::<__m256, 2, 4>(x, lines, out);
        } else if target_cfg_f!(target_arch = "aarch64") {
            add_panels::<Plain<f32, 8, true>, 2, 4>(x, lines, out);
        } else {
            add_panels::<Plain<f32, 8, false>, 1, 4>(x, lines, out);
        }
    }
}

/// Adds the products with panels of `REGISTERS` registers, `PANELS` at a time as long as there are so many.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn add_panels<R: Register<f32>, const PANELS: usize, const REGISTERS: usize>(
    x: &[f32],
    lines: &[f32],
    out: &mut [f32],
) {
    let panel = x.len() * WIDTH;
    for (lines, out) in lines.chunks(PANELS * panel).zip(out.chunks_mut(PANELS * WIDTH)) {
        if out.len() == PANELS * WIDTH {
            // SAFETY: the caller vouches for the processor.
            unsafe { add_products::<R, PANELS, REGISTERS>(x, lines, out) };
            continue;
        }
        for (lines, out) in lines.chunks(panel).zip(out.chunks_mut(WIDTH)) {
            let mut block = [0.0; WIDTH];
            block[..out.len()].copy_from_slice(out);
            // SAFETY: the caller vouches for the processor.
            unsafe { add_products::<R, 1, REGISTERS>(x, lines, &mut block) };
            out.copy_from_slice(&block[..out.len()]);
        }
    }
}

/// Adds the products with exactly `PANELS` panels.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn add_products<R: Register<f32>, const PANELS: usize, const REGISTERS: usize>(
    x: &[f32],
    lines: &[f32],
    out: &mut [f32],
) {
    let panel = x.len() * WIDTH;
    assert!(REGISTERS * R::LANES == WIDTH, "a panel is no whole number of registers");
    assert!(lines.len() == PANELS * panel && out.len() == PANELS * WIDTH, "panels or outputs are missing");
    // SAFETY: the caller vouches for the processor. The assertions keep each line of each panel, and each register of
    // `PANELS` outputs, inside the slice.
    unsafe {
        let place = |p: usize, c: usize| p * WIDTH + c * R::LANES;
        let mut sums: [[R; REGISTERS]; PANELS] =
            std::array::from_fn(|p| std::array::from_fn(|c| R::load(out.as_ptr().add(place(p, c)))));
        let mut line = lines.as_ptr();
        for &x in x {
            let x = R::splat(x);
            for (p, sums) in sums.iter_mut().enumerate() {
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum = x.multiply_add(R::load(line.add(p * panel + c * R::LANES)), *sum);
                }
            }
            line = line.wrapping_add(WIDTH);
        }
        for (p, sums) in sums.iter().enumerate() {
            for (c, sum) in sums.iter().enumerate() {
                sum.store(out.as_mut_ptr().add(place(p, c)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::finish::Finish;
    use crate::matrix::Matrix;
    use crate::packed::PackedMatrix;
    use oplink_cpu_support::testing::Threads;

    fn drawn(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 29 + seed * 7) % 23) as f32 / 11.0 - 1.0).collect()
    }

    #[test]
    fn one_row_is_summed_as_several_are() {
        for (depth, columns) in [(1, 1), (3, 33), (40, 127), (256, 128), (300, 1024), (17, 300)] {
            let (x, y) = (drawn(depth, 1), drawn(depth * columns, 2));
            let (bias, side) = (drawn(columns, 3), drawn(columns, 4));
            let packed = PackedMatrix::new(Matrix::row_major(&y, depth, columns)).unwrap();
            let finish = Finish { bias: Some(&bias), side: Some((&side, 0)), ..Finish::default() };
            let run = |rows: usize, threads: usize| {
                let (x, mut out) = (x.repeat(rows), vec![7.0; rows * columns]);
                packed.multiply(&Threads(threads), Matrix::row_major(&x, rows, depth), finish, &mut out).unwrap();
                out
            };
            let expected = run(2, 1);
            for threads in [1, 1, 3] {
                assert_eq!(run(1, threads), expected[..columns], "{depth}x{columns} with {threads} threads");
            }
        }
    }
}
