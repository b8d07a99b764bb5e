//! Products of some rows with a narrow panel of columns: the innermost loops of convolutions and matrix products.
//!
//! The sums of a tile (a few rows by a few registers) stay in registers over the whole depth.
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::finish::Finish;
use super::register::{Plain, Register};
use super::row_vector::MultiplyAdd;
use oplink_cpu_support::elementwise::Arithmetic;

/// One product: `rows` x `panel`, with what the sums start from and the bounds they end in.
#[derive(Clone, Copy)]
pub struct Tiles<'a, L> {
    /// Where the left rows are.
    pub rows: &'a [L],
    /// Elements from one row to the next, and from one element of a row to the next.
    pub strides: (usize, usize),
    /// The runs that a row is made of.
    pub runs: Runs,
    /// A line of [`TileElement::WIDTH`] columns for each element of a row, `panel_stride` apart.
    pub panel: &'a [L],
    /// Elements from one line of the panel to the next.
    pub panel_stride: usize,
    /// What the sums start from.
    pub start: Start<'a, L>,
    /// Sums below the first end as the first, sums above the second as the second; NaN stays.
    pub bounds: Option<(L, L)>,
    /// Elements from one row of the output to the next.
    pub out_stride: usize,
    /// Columns of the output, at most [`TileElement::WIDTH`].
    pub columns: usize,
}

/// The pieces that each row of a left matrix is made of.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// Their number.
    pub count: usize,
    /// Elements from one to the next.
    pub stride: usize,
    /// Elements of one.
    pub length: usize,
}

impl Runs {
    /// One piece.
    pub fn one(length: usize) -> Self {
        Self { count: 1, stride: 0, length }
    }
}

/// What sums start from.
#[derive(Clone, Copy)]
pub enum Start<'a, L> {
    /// Zero.
    Zero,
    /// A value for each of [`TileElement::WIDTH`] columns.
    Columns(&'a [L]),
    /// What the output holds.
    Output,
}

/// Columns of the widest panel of any lane.
pub const MAX_WIDTH: usize = 32;
/// Rows of the highest tile.
const MAX_ROWS: usize = 12;

/// A number that tiles are computed in.
pub trait TileElement: Arithmetic + MultiplyAdd + PartialOrd {
    /// Columns of a panel.
    const WIDTH: usize;

    /// Writes `count` rows of the product to `out`.
    ///
    /// # Panics
    /// Where rows, panel or output are too short.
    fn multiply(tiles: &Tiles<'_, Self>, count: usize, out: &mut [Self]);

    /// The operands of a convolution as single-precision numbers, where they are such.
    ///
    /// # Errors
    /// They are others: the operands come back.
    fn single(operands: Operands<'_, Self>) -> Result<Operands<'_, f32>, Operands<'_, Self>> {
        Err(operands)
    }
}

/// What a convolution reads and writes.
pub struct Operands<'a, L> {
    /// The input.
    pub image: &'a [L],
    /// The filter.
    pub filter: &'a [L],
    /// What follows.
    pub finish: Finish<'a, L>,
    /// The output.
    pub out: &'a mut [L],
}

/// The tile of `ROWS` rows from `row` on and `REGISTERS` registers from `column` on.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn tile<L: TileElement, R: Register<L>, const ROWS: usize, const REGISTERS: usize>(
    tiles: &Tiles<'_, L>,
    (row, column): (usize, usize),
    out: &mut [L],
) {
    let columns = tiles.columns - column;
    let is_full = columns >= REGISTERS * R::LANES;
    let out = &mut out[row * tiles.out_stride + column..];
    let mut block = if is_full { None } else { Some([L::ZERO; MAX_ROWS * MAX_WIDTH]) };
    if let (Some(block), Start::Output) = (&mut block, tiles.start) {
        copy_rows(ROWS, columns, (out, tiles.out_stride), (block, MAX_WIDTH));
    }
    let (to, stride) = match &mut block {
        Some(block) => (&mut block[..], MAX_WIDTH),
        None => (&mut *out, tiles.out_stride),
    };
    // The only call, since each holds a copy of the loops.
    // SAFETY: the processor has the instructions behind `R`, as this function demands of its callers.
    unsafe { full_tile::<L, R, ROWS, REGISTERS>(tiles, (row, column), to, stride) };
    if let Some(block) = &block {
        copy_rows(ROWS, columns, (block, MAX_WIDTH), (out, tiles.out_stride));
    }
}

/// Copies the first columns of rows; each matrix with the elements from one row to the next.
#[inline(never)]
fn copy_rows<L: Copy>(
    rows: usize,
    columns: usize,
    (from, from_stride): (&[L], usize),
    (to, to_stride): (&mut [L], usize),
) {
    for row in 0..rows {
        to[row * to_stride..][..columns].copy_from_slice(&from[row * from_stride..][..columns]);
    }
}

/// As [`tile`], to rows of `out` that have room for all columns and stand `stride` apart.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn full_tile<L: TileElement, R: Register<L>, const ROWS: usize, const REGISTERS: usize>(
    tiles: &Tiles<'_, L>,
    (row, column): (usize, usize),
    out: &mut [L],
    stride: usize,
) {
    let (runs, width) = (tiles.runs, REGISTERS * R::LANES);
    let (step, depth_step) = tiles.strides;
    let rows = tiles.rows.get(row * step..).unwrap_or_default();
    let panel = tiles.panel.get(column..).unwrap_or_default();
    let depth = runs.count * runs.length;
    assert!(depth == 0 || (depth - 1) * tiles.panel_stride + width <= panel.len(), "a panel is too short");
    let last = || (runs.count - 1) * runs.stride + (ROWS - 1) * step + (runs.length - 1) * depth_step;
    assert!(depth == 0 || last() < rows.len(), "rows are too short");
    assert!((ROWS - 1) * stride + width <= out.len(), "an output is too short");
    // SAFETY: the caller vouches for the processor. The assertions keep each read of the runs of `ROWS` rows and of
    // `depth` lines of `width` elements, and each access to `ROWS` rows of `width` outputs, inside the slice.
    unsafe {
        let mut sums = first_sums::<L, R, ROWS, REGISTERS>(tiles.start, column, out, stride);
        let mut line = panel.as_ptr();
        for run in 0..runs.count {
            // Three rows share an address, so that the addresses of all stay in registers.
            let first = rows.as_ptr().wrapping_add(run * runs.stride);
            let mut triples: [*const L; MAX_ROWS / 3] = std::array::from_fn(|t| first.wrapping_add(3 * t * step));
            for _ in 0..runs.length {
                let columns: [R; REGISTERS] = std::array::from_fn(|c| R::load(line.add(c * R::LANES)));
                for p in 0..ROWS {
                    let x = R::splat(*triples[p / 3].add(p % 3 * step));
                    for c in 0..REGISTERS {
                        sums[p][c] = x.multiply_add(columns[c], sums[p][c]);
                    }
                }
                line = line.wrapping_add(tiles.panel_stride);
                triples = triples.map(|row| row.wrapping_add(depth_step));
            }
        }
        if let Some((low, high)) = tiles.bounds {
            let (low, high) = (R::splat(low), R::splat(high));
            for sum in sums.as_flattened_mut() {
                *sum = sum.bounded(low, high);
            }
        }
        for (p, sums) in sums.iter().enumerate() {
            for (c, sum) in sums.iter().enumerate() {
                sum.store(out.as_mut_ptr().add(p * stride + c * R::LANES));
            }
        }
    }
}

/// What the sums of a tile start from.
///
/// # Safety
/// The processor has the instructions behind `R`; `out` has `ROWS` rows of `REGISTERS` registers, `stride` apart.
#[inline(always)]
unsafe fn first_sums<L: TileElement, R: Register<L>, const ROWS: usize, const REGISTERS: usize>(
    start: Start<'_, L>,
    column: usize,
    out: &[L],
    stride: usize,
) -> [[R; REGISTERS]; ROWS] {
    // SAFETY: forwarded to the caller; the values of columns are sliced.
    unsafe {
        match start {
            Start::Zero => [[R::splat(L::ZERO); REGISTERS]; ROWS],
            Start::Columns(values) => {
                let values = &values[column..][..REGISTERS * R::LANES];
                [std::array::from_fn(|c| R::load(values.as_ptr().add(c * R::LANES))); ROWS]
            }
            Start::Output => {
                std::array::from_fn(|p| std::array::from_fn(|c| R::load(out.as_ptr().add(p * stride + c * R::LANES))))
            }
        }
    }
}

/// All tiles of a width: so many rows at a time while there are so many, then fewer.
macro_rules! by_rows {
    ($lane:ty, $register:ty, $registers:literal, ($tiles:ident, $count:ident, $out:ident), $column:expr; $($rows:literal)*) => {{
        let mut row = 0;
        $(while $count - row >= $rows {
            // SAFETY: this code is compiled for the instructions behind the register and chosen by `multiversion`.
            unsafe { tile::<$lane, $register, $rows, $registers>($tiles, (row, $column), $out) };
            row += $rows;
        })*
        let _ = row;
    }};
}

macro_rules! tile_lane {
    ($lane:ident, $width:literal, $half:literal, $quarter:literal, $wide:ty, $narrow:ty $(, $single:item)?) => {
        impl TileElement for $lane {
            const WIDTH: usize = $width;

            $($single)?

            fn multiply(tiles: &Tiles<'_, Self>, count: usize, out: &mut [Self]) {
                #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
                fn multiply(tiles: &Tiles<'_, $lane>, count: usize, out: &mut [$lane]) {
                    if target_cfg_f!(target_feature = "avx512f") {
                        #[cfg(target_arch = "x86_64")]
                        if tiles.columns > $half {
                            by_rows!($lane, $wide, 2, (tiles, count, out), 0; 12 8 4 2 1);
                        } else {
                            by_rows!($lane, $wide, 1, (tiles, count, out), 0; 12 8 4 2 1);
                        }
                    } else if target_cfg_f!(target_feature = "fma") {
                        #[cfg(target_arch = "x86_64")]
                        for column in (0..tiles.columns).step_by($half) {
                            by_rows!($lane, $narrow, 2, (tiles, count, out), column; 6 3 1);
                        }
                    } else if target_cfg_f!(target_arch = "aarch64") {
                        for column in (0..tiles.columns).step_by($quarter) {
                            by_rows!($lane, Plain<$lane, $quarter, true>, 1, (tiles, count, out), column; 8 4 1);
                        }
                    } else {
                        for column in (0..tiles.columns).step_by($quarter) {
                            by_rows!($lane, Plain<$lane, $quarter, false>, 1, (tiles, count, out), column; 4 1);
                        }
                    }
                }
                multiply(tiles, count, out);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m256d, __m512, __m512d};

tile_lane!(
    f32,
    32,
    16,
    8,
    __m512,
    __m256,
    fn single(operands: Operands<'_, f32>) -> Result<Operands<'_, f32>, Operands<'_, f32>> {
        Ok(operands)
    }
);
tile_lane!(f64, 16, 8, 4, __m512d, __m256d);
tile_lane!(i32, 32, 16, 8, Plain<i32, 16, false>, Plain<i32, 8, false>);
