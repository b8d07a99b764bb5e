//! Filters of 3x3 taps transformed for Winograd's algorithm.

use multiversion::multiversion;
use oplink::{DType, KernelEnv, Result, Shape, Tensor};
use oplink_cpu_support::parallel::for_each_chunk;

use super::filter::{HALF, WIDTH};
use super::tiling::{IN, TAPS};

/// Elements that one thread should at least transform.
const GRAIN: usize = 1 << 14;

/// A transformed filter: for each panel of output channels [`TAPS`] matrices, a line for each input channel.
#[derive(Debug)]
pub struct TransformedFilter {
    memory: Tensor,
    depth: usize,
    columns: usize,
}

impl TransformedFilter {
    /// Of a filter [3, 3, depth, columns], for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, filter: &[f32], columns: usize) -> Result<Self> {
        let shape = Shape::new(&[Self::elements(filter, columns)]);
        Self::filled(env, Tensor::allocate(DType::Float, shape, env.allocator())?, filter, columns)
    }

    /// Of a filter [3, 3, depth, columns], for many runs.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn lasting(env: &dyn KernelEnv, filter: &[f32], columns: usize) -> Result<Self> {
        Self::filled(env, Tensor::lasting(DType::Float, [Self::elements(filter, columns)])?, filter, columns)
    }

    fn elements(filter: &[f32], columns: usize) -> usize {
        TAPS * (filter.len() / 9 / columns.max(1)) * columns.next_multiple_of(HALF)
    }

    fn filled(env: &dyn KernelEnv, mut memory: Tensor, filter: &[f32], columns: usize) -> Result<Self> {
        let depth = filter.len() / 9 / columns.max(1);
        let panel = TAPS * depth * WIDTH;
        for_each_chunk(env, memory.as_mut_slice::<f32>()?, GRAIN, panel.max(1), &|start, part| {
            for (index, to) in part.chunks_mut(panel).enumerate() {
                let first = start / (TAPS * depth) + index * WIDTH;
                transform_panel(filter, (depth, columns), first, to);
            }
        });
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

/// Fills `to` with the matrices of the panel from column `first` on.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn transform_panel(filter: &[f32], (depth, columns): (usize, usize), first: usize, to: &mut [f32]) {
    let count = WIDTH.min(columns - first);
    let width = to.len() / (TAPS * depth);
    for channel in 0..depth {
        let mut taps = [[0f32; WIDTH]; 9];
        for (tap, to) in taps.iter_mut().enumerate() {
            to[..count].copy_from_slice(&filter[(tap * depth + channel) * columns + first..][..count]);
        }
        let mut rows = [[0f32; WIDTH]; 3 * IN];
        for column in 0..3 {
            for lane in 0..WIDTH {
                let line = filter_line([taps[column][lane], taps[3 + column][lane], taps[6 + column][lane]]);
                (0..IN).for_each(|i| rows[i * 3 + column][lane] = line[i]);
            }
        }
        for i in 0..IN {
            let mut lines = [[0f32; WIDTH]; IN];
            for lane in 0..WIDTH {
                let line = filter_line([rows[i * 3][lane], rows[i * 3 + 1][lane], rows[i * 3 + 2][lane]]);
                (0..IN).for_each(|j| lines[j][lane] = line[j]);
            }
            for (j, line) in lines.iter().enumerate() {
                to[((i * IN + j) * depth + channel) * width..][..width].copy_from_slice(&line[..width]);
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
