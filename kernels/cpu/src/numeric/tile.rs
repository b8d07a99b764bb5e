//! Products of some rows with a narrow panel of columns: the innermost loops of convolutions and matrix products.
//!
//! Sums of a tile (a few rows by the panel's width) stay in registers over the whole depth. The loops are plain Rust, written
//! with constant extents so that the compiler makes vector instructions of them, once an instruction set.
#![allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::support::elementwise::Arithmetic;

/// One product: `rows` x `panel`, with what the sums start from and the bounds they end in.
#[derive(Clone, Copy)]
pub(crate) struct Tiles<'a, L> {
    /// The left rows, `depth` elements each, `row_stride` apart.
    pub(crate) rows: &'a [L],
    /// Elements from one row to the next.
    pub(crate) row_stride: usize,
    /// `depth` lines of [`TileLane::WIDTH`] columns, `panel_stride` apart.
    pub(crate) panel: &'a [L],
    /// Elements from one line of the panel to the next.
    pub(crate) panel_stride: usize,
    /// Products in each sum.
    pub(crate) depth: usize,
    /// What the sums start from.
    pub(crate) start: Start<'a, L>,
    /// Sums below the first end as the first, sums above the second as the second; NaN stays.
    pub(crate) bounds: Option<(L, L)>,
    /// Elements from one row of the output to the next.
    pub(crate) out_stride: usize,
    /// Columns of the output, at most [`TileLane::WIDTH`].
    pub(crate) columns: usize,
}

/// What sums start from.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a, L> {
    /// Zero.
    Zero,
    /// A value for each of [`TileLane::WIDTH`] columns.
    Columns(&'a [L]),
    /// What the output holds.
    Output,
}

/// A number that tiles are computed in.
pub(crate) trait TileLane: Arithmetic + PartialOrd {
    /// Columns of a panel.
    const WIDTH: usize;

    /// Writes `count` rows of the product to `out`.
    ///
    /// # Panics
    /// Where rows, panel or output are too short.
    fn multiply(tiles: &Tiles<'_, Self>, count: usize, out: &mut [Self]);

    /// `self * b + c`, in one rounding where `FUSED`.
    fn multiply_add<const FUSED: bool>(self, b: Self, c: Self) -> Self;
}

/// The tile of `ROWS` rows from `row` on and `WIDTH` columns from `column` on.
#[inline(always)]
fn tile<L: TileLane, const ROWS: usize, const WIDTH: usize, const FUSED: bool>(
    tiles: &Tiles<'_, L>,
    (row, column): (usize, usize),
    out: &mut [L],
) {
    let columns = (tiles.columns - column).min(WIDTH);
    let out = &mut out[row * tiles.out_stride + column..];
    let mut sums = [[L::ZERO; WIDTH]; ROWS];
    match tiles.start {
        Start::Zero => {}
        Start::Columns(values) => sums.fill(*first::<L, WIDTH>(&values[column..])),
        Start::Output => {
            for (p, sums) in sums.iter_mut().enumerate() {
                let from = &out[p * tiles.out_stride..];
                match from.first_chunk() {
                    Some(from) if columns == WIDTH => *sums = *from,
                    _ => sums[..columns].copy_from_slice(&from[..columns]),
                }
            }
        }
    }
    let rows: [&[L]; ROWS] = std::array::from_fn(|p| &tiles.rows[(row + p) * tiles.row_stride..][..tiles.depth]);
    let panel = tiles.panel.get(column..).unwrap_or_default();
    for (k, line) in (0..tiles.depth).zip(panel.chunks(tiles.panel_stride)) {
        let line = first::<L, WIDTH>(line);
        for p in 0..ROWS {
            let x = rows[p][k];
            for c in 0..WIDTH {
                sums[p][c] = x.multiply_add::<FUSED>(line[c], sums[p][c]);
            }
        }
    }
    if let Some((low, high)) = tiles.bounds {
        for sum in sums.as_flattened_mut() {
            let above = if *sum < low { low } else { *sum };
            *sum = if above > high { high } else { above };
        }
    }
    for (p, sums) in sums.iter().enumerate() {
        let to = &mut out[p * tiles.out_stride..];
        match to.first_chunk_mut() {
            Some(to) if columns == WIDTH => *to = *sums,
            _ => to[..columns].copy_from_slice(&sums[..columns]),
        }
    }
}

#[inline(always)]
fn first<L, const WIDTH: usize>(line: &[L]) -> &[L; WIDTH] {
    match line.first_chunk() {
        Some(line) => line,
        None => too_short(),
    }
}

#[cold]
#[inline(never)]
fn too_short() -> ! {
    panic!("a panel's line is too short")
}

/// All tiles of `WIDTH` columns, `ROWS` rows at a time while there are so many, then fewer.
macro_rules! by_rows {
    ($lane:ty, $fused:literal, $width:literal, $tiles:ident, $count:ident, $out:ident, $column:ident; $($rows:literal)*) => {{
        let mut row = 0;
        $(while $count - row >= $rows {
            tile::<$lane, $rows, $width, $fused>($tiles, (row, $column), $out);
            row += $rows;
        })*
        let _ = row;
    }};
}

macro_rules! tile_lane {
    ($lane:ident, $width:literal, $half:literal, $quarter:literal, |$a:ident, $b:ident, $c:ident| $fused:expr, $plain:expr) => {
        impl TileLane for $lane {
            const WIDTH: usize = $width;

            fn multiply(tiles: &Tiles<'_, Self>, count: usize, out: &mut [Self]) {
                #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
                fn multiply(tiles: &Tiles<'_, $lane>, count: usize, out: &mut [$lane]) {
                    if target_cfg_f!(target_feature = "avx512f") {
                        let column = 0;
                        if tiles.columns > $half {
                            by_rows!($lane, true, $width, tiles, count, out, column; 12 8 4 2 1);
                        } else {
                            by_rows!($lane, true, $half, tiles, count, out, column; 12 8 4 2 1);
                        }
                    } else if target_cfg_f!(target_feature = "fma") {
                        for column in (0..tiles.columns).step_by($half) {
                            by_rows!($lane, true, $half, tiles, count, out, column; 6 3 1);
                        }
                    } else if target_cfg_f!(target_arch = "aarch64") {
                        for column in (0..tiles.columns).step_by($quarter) {
                            by_rows!($lane, true, $quarter, tiles, count, out, column; 8 4 1);
                        }
                    } else {
                        for column in (0..tiles.columns).step_by($quarter) {
                            by_rows!($lane, false, $quarter, tiles, count, out, column; 4 1);
                        }
                    }
                }
                multiply(tiles, count, out);
            }

            #[inline(always)]
            fn multiply_add<const FUSED: bool>(self, $b: Self, $c: Self) -> Self {
                let $a = self;
                if FUSED { $fused } else { $plain }
            }
        }
    };
}

tile_lane!(f32, 32, 16, 8, |a, b, c| a.mul_add(b, c), a * b + c);
tile_lane!(f64, 16, 8, 4, |a, b, c| a.mul_add(b, c), a * b + c);
tile_lane!(i32, 32, 16, 8, |a, b, c| a.wrapping_mul(b).wrapping_add(c), a.wrapping_mul(b).wrapping_add(c));
