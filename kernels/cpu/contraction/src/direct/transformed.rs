//! Filters of 3x3 taps transformed for Winograd's algorithm.

use multiversion::multiversion;
use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use super::filter::{HALF, WIDTH};
use super::tiling::{IN, TAPS};
use crate::source::{Matrices, Source};

/// A transformed filter: for each panel of output channels [`TAPS`] matrices, a line for each input channel.
#[derive(Debug)]
pub struct TransformedFilter {
    pub(crate) memory: Tensor,
    depth: usize,
    columns: usize,
}

impl TransformedFilter {
    /// Of a filter [3, 3, depth, columns], for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, filter: &[f32], columns: usize) -> Result<Self> {
        let taps = Matrices { source: Source::Memory(filter), count: 9, columns };
        let shape = Shape::new(&[Self::elements(&taps)]);
        Self::filled(env, Tensor::allocate(DType::Float, shape, env.allocator())?, &taps)
    }

    /// Of a filter [3, 3, depth, columns], for many runs.
    ///
    /// # Errors
    /// Memory runs out; the filter cannot be read.
    pub fn lasting(env: &dyn KernelEnv, filter: Source<'_, f32>, columns: usize) -> Result<Self> {
        let taps = Matrices { source: filter, count: 9, columns };
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
                transform_panel(taps, (channels, columns), index * WIDTH, to);
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

/// Fills `to` with lines of the matrices of the panel from column `first` on: one for each input channel. `taps` has
/// for each tap a row for each of these channels.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn transform_panel(taps: &[&[f32]], (channels, columns): (usize, usize), first: usize, to: &mut [&mut [f32]]) {
    let count = WIDTH.min(columns - first);
    for channel in 0..channels {
        let mut lines = [[0f32; WIDTH]; 9];
        for (line, tap) in lines.iter_mut().zip(taps) {
            line[..count].copy_from_slice(&tap[channel * columns + first..][..count]);
        }
        let mut rows = [[0f32; WIDTH]; 3 * IN];
        for column in 0..3 {
            for lane in 0..WIDTH {
                let line = filter_line([lines[column][lane], lines[3 + column][lane], lines[6 + column][lane]]);
                (0..IN).for_each(|i| rows[i * 3 + column][lane] = line[i]);
            }
        }
        for (i, to) in to.chunks_exact_mut(IN).enumerate() {
            let mut lines = [[0f32; WIDTH]; IN];
            for lane in 0..WIDTH {
                let line = filter_line([rows[i * 3][lane], rows[i * 3 + 1][lane], rows[i * 3 + 2][lane]]);
                (0..IN).for_each(|j| lines[j][lane] = line[j]);
            }
            for (to, line) in to.iter_mut().zip(&lines) {
                let width = to.len() / channels;
                to[channel * width..][..width].copy_from_slice(&line[..width]);
            }
        }
    }
}

/// Three taps transformed along one axis.
#[inline(always)]
fn filter_line([a, b, c]: [f32; 3]) -> [f32; IN] {
    let (even, odd) = ((a + c) * (-1.0 / 6.0), b * (-1.0 / 6.0));
    let (far, twice) = (a * (1.0 / 24.0) + c * (1.0 / 6.0), b * (1.0 / 12.0));
    [a * 0.25, even + odd, even - odd, far + twice, far - twice, c]
}
