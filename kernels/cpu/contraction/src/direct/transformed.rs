//! Filters of 3x3 taps transformed for Winograd's algorithm.
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink::{DType, KernelEnv, Result, Shape, Tensor, parallel};
use oplink_cpu_support::parallel::for_each_chunk;

use super::filter::{HALF, WIDTH, pack};
use super::prefetch::Prefetch;
use super::tiling::{AT_FAR, AT_NEAR, AT_ZERO, FAR, FAR2, IN, NEAR, NEAR2, TAPS, WINDOW};
use crate::matrix::Matrix;
use crate::register::{Plain, Register};
use crate::scratch::Scratch;
use crate::source::{Matrices, Source};

/// Channels ahead of the one that is transformed that are prefetched.
const AHEAD: usize = 6;

/// A transformed filter: for each panel of output channels [`TAPS`] matrices, a line for each input channel.
#[derive(Debug)]
pub struct TransformedFilter {
    pub(crate) memory: Tensor,
    depth: usize,
    columns: usize,
}

impl TransformedFilter {
    /// Of the nine taps of a filter, a matrix of `depth` rows each, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn of_taps(env: &dyn KernelEnv, taps: &[Matrix<'_, f32>]) -> Result<Self> {
        let (depth, columns) = taps.first().map_or((0, 0), |tap| (tap.rows(), tap.columns()));
        let length = TAPS * depth * columns.next_multiple_of(HALF);
        let mut memory = Tensor::allocate(DType::Float, Shape::new(&[length]), env.allocator())?;
        let (panel, to) = ((TAPS * depth * WIDTH).max(1), memory.as_mut_slice::<f32>()?);
        Scratch::with(env, TapPanel::scratch(depth), |scratch| {
            for_each_chunk(env, to, panel, panel, &|start, panels| {
                for (index, to) in panels.chunks_mut(panel).enumerate() {
                    parallel::poll(env);
                    let (panel, step) = (TapPanel::new(taps, start / panel + index), to.len() / TAPS);
                    scratch.lend(|scratch| panel.transform(0..depth, scratch, (to, step)));
                }
            });
            Ok(())
        })?;
        Ok(Self { memory, depth, columns })
    }

    /// Of a filter [3, 3, depth, columns], for many runs.
    ///
    /// # Errors
    /// Memory runs out; the filter cannot be read.
    pub fn lasting(env: &dyn KernelEnv, filter: Source<'_, f32>, columns: usize) -> Result<Self> {
        let taps = Matrices { source: filter, count: WINDOW * WINDOW, columns };
        Self::filled(env, Tensor::lasting(DType::Float, [Self::elements(&taps)])?, &taps)
    }

    fn elements(taps: &Matrices<'_, f32>) -> usize {
        TAPS * taps.rows() * taps.columns.next_multiple_of(HALF)
    }

    fn filled(env: &dyn KernelEnv, mut memory: Tensor, taps: &Matrices<'_, f32>) -> Result<Self> {
        let (depth, columns) = (taps.rows(), taps.columns);
        let panel = TAPS * depth * WIDTH;
        taps.fill_panels(env, memory.as_mut_slice::<f32>()?, (panel, TAPS), &|taps, channels, parts| {
            for (index, to) in parts.chunks_exact_mut(TAPS).enumerate() {
                let first = index * WIDTH;
                let taps: Vec<_> = taps.iter().map(|tap| &tap[first..]).collect();
                let lines = Lines { taps: &taps, stride: columns, columns: WIDTH.min(columns - first) };
                transform_panel(lines, channels, to);
            }
        })?;
        Ok(Self { memory, depth, columns })
    }

    /// Columns of the filter.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// The matrices of a panel and the length of their lines.
    pub(super) fn panel(&self, index: usize) -> Result<(&[f32], usize)> {
        let width = WIDTH.min((self.columns - index * WIDTH).next_multiple_of(HALF));
        let length = TAPS * self.depth;
        Ok((&self.memory.as_slice::<f32>()?[index * WIDTH * length..][..width * length], width))
    }
}

/// Some columns of the nine taps of a filter.
pub(super) struct TapPanel<'a> {
    taps: &'a [Matrix<'a, f32>],
    /// The first column, and the number.
    pub(super) columns: (usize, usize),
    /// Columns of a transformed line.
    pub(super) width: usize,
}

impl<'a> TapPanel<'a> {
    /// The panel at a position.
    pub(super) fn new(taps: &'a [Matrix<'a, f32>], index: usize) -> Self {
        let count = taps.first().map_or(0, |tap| WIDTH.min(tap.columns() - index * WIDTH));
        Self { taps, columns: (index * WIDTH, count), width: count.next_multiple_of(HALF) }
    }

    /// Elements that `transform` needs to bring so many channels into order.
    pub(super) fn scratch(channels: usize) -> usize {
        WINDOW * WINDOW * channels * WIDTH
    }

    /// Transforms these input channels: of the [`TAPS`] matrices, each has a line of `width` for each channel, and
    /// `step` elements of `to`.
    pub(super) fn transform(&self, channels: Range<usize>, scratch: &mut [f32], (to, step): (&mut [f32], usize)) {
        let (count, (first, columns)) = (channels.len(), self.columns);
        let mut to: Vec<_> = to.chunks_mut(step).take(TAPS).map(|matrix| &mut matrix[..count * self.width]).collect();
        let rows: Vec<_> = self.taps.iter().map(|tap| tap.row_range(channels.start, count)).collect();
        if let Some((_, (stride, 1))) = rows.first().map(Matrix::parts) {
            let lines: Vec<_> = rows.iter().map(|tap| &tap.parts().0[first..]).collect();
            return transform_panel(Lines { taps: &lines, stride, columns }, count, &mut to);
        }
        let packed = &mut scratch[..rows.len() * count * self.width];
        pack(&rows, first, packed);
        let lines: Vec<_> = packed.chunks_exact(count * self.width).collect();
        transform_panel(Lines { taps: &lines, stride: self.width, columns }, count, &mut to);
    }
}

/// Some columns of rows of the nine taps, a row for each input channel.
#[derive(Clone, Copy)]
struct Lines<'a> {
    /// From the first column of the first row on.
    taps: &'a [&'a [f32]],
    /// Elements from one row to the next.
    stride: usize,
    /// The number of columns.
    columns: usize,
}

impl Lines<'_> {
    /// # Safety
    /// The processor has the instructions behind `R`.
    #[inline(always)]
    unsafe fn transform<R: Register<f32>>(self, channels: usize, to: &mut [&mut [f32]]) {
        let Self { taps, stride, columns } = self;
        let width = to.first().map_or(0, |to| to.len() / channels);
        assert!(taps.len() == WINDOW * WINDOW && to.len() == TAPS && columns <= width, "nine taps make 36");
        assert!(taps.iter().all(|tap| tap.len() >= (channels - 1) * stride + columns), "a tap is too short");
        assert!(
            to.iter().all(|to| to.len() == channels * width) && width.is_multiple_of(R::LANES),
            "no whole registers"
        );
        for channel in 0..channels {
            for tap in taps {
                Prefetch::all(tap.get((channel + AHEAD) * stride..).map_or(&[], |row| &row[..columns.min(row.len())]));
            }
            for column in (0..width).step_by(R::LANES) {
                let count = columns.saturating_sub(column);
                // SAFETY: the caller vouches for the processor; the assertions keep the columns that count inside the
                // taps, and whole registers inside the lines.
                unsafe {
                    let load = |tap: usize| {
                        let from = taps[tap].as_ptr().wrapping_add(channel * stride + column);
                        if count >= R::LANES { R::load(from) } else { R::load_first(from, count) }
                    };
                    let mut rows = [[R::splat(0.0); WINDOW]; IN];
                    for column in 0..WINDOW {
                        let line = filter_line(std::array::from_fn(|row| load(row * WINDOW + column)));
                        (0..IN).for_each(|row| rows[row][column] = line[row]);
                    }
                    for (i, row) in rows.into_iter().enumerate() {
                        for (j, value) in filter_line(row).into_iter().enumerate() {
                            value.store(to[i * IN + j].as_mut_ptr().add(channel * width + column));
                        }
                    }
                }
            }
        }
    }
}

/// Fills `to` with lines of the matrices of a panel: one for each input channel.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn transform_panel(lines: Lines<'_>, channels: usize, to: &mut [&mut [f32]]) {
    // SAFETY: each branch is compiled for the instructions behind its register and chosen by `multiversion`.
    unsafe {
        if target_cfg_f!(target_feature = "avx512f") {
            #[cfg(target_arch = "x86_64")]
            lines.transform::<__m512>(channels, to);
        } else if target_cfg_f!(target_feature = "fma") {
            #[cfg(target_arch = "x86_64")]
            lines.transform::<__m256>(channels, to);
        } else if target_cfg_f!(target_arch = "aarch64") {
            lines.transform::<Plain<f32, 4, true>>(channels, to);
        } else {
            lines.transform::<Plain<f32, 4, false>>(channels, to);
        }
    }
}

/// Three taps transformed along one axis.
///
/// # Safety
/// The processor has the instructions behind `R`.
#[inline(always)]
unsafe fn filter_line<R: Register<f32>>([a, b, c]: [R; WINDOW]) -> [R; IN] {
    // SAFETY: the caller vouches for the processor.
    unsafe {
        let plus = |a: R, factor: f32, b: R| a.multiply_add(R::splat(factor), b);
        let scaled = |a: R, factor: f32| plus(a, factor, R::splat(0.0));
        let near = plus(a, AT_NEAR, scaled(c, NEAR2 * AT_NEAR));
        let far = plus(a, AT_FAR, scaled(c, FAR2 * AT_FAR));
        [
            scaled(a, AT_ZERO),
            plus(b, NEAR * AT_NEAR, near),
            plus(b, -NEAR * AT_NEAR, near),
            plus(b, FAR * AT_FAR, far),
            plus(b, -FAR * AT_FAR, far),
            c,
        ]
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};
