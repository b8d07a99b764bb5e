//! The filter of a convolution in panels of output channels.

use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use crate::matrix::Matrix;
use crate::source::{Matrices, Source};
use oplink_cpu_support::parallel::for_each_chunk;

/// Columns of a panel.
pub(crate) const WIDTH: usize = 32;
/// Columns of the last panel, where no more are left.
pub(super) const HALF: usize = 16;
/// Elements that one thread should at least copy.
const GRAIN: usize = 1 << 16;

/// A row-major matrix in panels: a line of [`WIDTH`] columns for each of its rows, the panels one after the other.
#[derive(Debug)]
pub struct PackedFilter {
    pub(crate) memory: Tensor,
    depth: usize,
    columns: usize,
}

impl PackedFilter {
    /// Of a row-major matrix of `columns` columns, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, filter: &[f32], columns: usize) -> Result<Self> {
        Self::of_taps(env, &[Matrix::row_major(filter, filter.len() / columns.max(1), columns)])
    }

    /// Of the rows of matrices of the same extents one after the other, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn of_taps(env: &dyn KernelEnv, taps: &[Matrix<'_, f32>]) -> Result<Self> {
        let shape = Shape::new(&[Self::elements(taps)]);
        Self::filled(env, Tensor::allocate(DType::Float, shape, env.allocator())?, taps)
    }

    /// Of a row-major matrix of `columns` columns, for many runs.
    ///
    /// # Errors
    /// Memory runs out; the filter cannot be read.
    pub fn lasting(env: &dyn KernelEnv, filter: Source<'_, f32>, columns: usize) -> Result<Self> {
        let matrix = Matrices { source: filter, count: 1, columns };
        let depth = matrix.rows();
        let mut memory = Tensor::lasting(DType::Float, [columns.next_multiple_of(HALF) * depth])?;
        matrix.fill_panels(env, memory.as_mut_slice::<f32>()?, (depth * WIDTH, 1), &|rows, count, panels| {
            let rows = [Matrix::row_major(rows[0], count, columns)];
            panels.iter_mut().enumerate().for_each(|(index, to)| pack(&rows, index * WIDTH, to));
        })?;
        Ok(Self { memory, depth, columns })
    }

    fn elements(taps: &[Matrix<'_, f32>]) -> usize {
        taps.first().map_or(0, |tap| taps.len() * tap.rows() * tap.columns().next_multiple_of(HALF))
    }

    fn filled(env: &dyn KernelEnv, mut memory: Tensor, taps: &[Matrix<'_, f32>]) -> Result<Self> {
        let (rows, columns) = taps.first().map_or((0, 0), |tap| (tap.rows(), tap.columns()));
        let depth = taps.len() * rows;
        if depth > 0 && columns > 0 {
            let panel = depth * WIDTH;
            for_each_chunk(env, memory.as_mut_slice::<f32>()?, GRAIN, panel, &|start, part| {
                let panels = part.chunks_mut(panel).enumerate();
                panels.for_each(|(index, to)| pack(taps, start / depth + index * WIDTH, to));
            });
        }
        Ok(Self { memory, depth, columns })
    }

    /// The panels.
    ///
    /// # Errors
    /// None: the memory holds `f32`.
    pub fn panels(&self) -> Result<Panels<'_>> {
        let (depth, columns) = (self.depth, self.columns);
        Ok(Panels { lines: self.memory.as_slice::<f32>()?, depth, columns, last_is_half: true })
    }
}

/// The panels of a matrix, one after the other: a line of [`WIDTH`] columns for each row.
#[derive(Clone, Copy)]
pub struct Panels<'a> {
    pub(crate) lines: &'a [f32],
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    /// Whether lines of the last panel have [`HALF`] columns where these are enough.
    pub(crate) last_is_half: bool,
}

/// The lines of a panel, their length, and the columns that count: the first and the number.
pub(super) type Panel<'a> = (&'a [f32], usize, (usize, usize));

impl<'a> Panels<'a> {
    /// The number of panels.
    pub(super) fn count(&self) -> usize {
        self.columns.div_ceil(WIDTH)
    }

    /// A panel.
    pub(super) fn get(&self, index: usize) -> Panel<'a> {
        let columns = WIDTH.min(self.columns - index * WIDTH);
        let width = if self.last_is_half { columns.next_multiple_of(HALF) } else { WIDTH };
        (&self.lines[index * WIDTH * self.depth..][..width * self.depth], width, (index * WIDTH, columns))
    }
}

/// Fills `to` with the lines of the panel from column `first` on.
pub(super) fn pack(taps: &[Matrix<'_, f32>], first: usize, to: &mut [f32]) {
    let lines = to.len() / taps.len();
    for (tap, to) in taps.iter().zip(to.chunks_exact_mut(lines)) {
        let (count, width) = (WIDTH.min(tap.columns() - first), lines / tap.rows());
        if count < width {
            to.fill(0.0);
        }
        tap.column_range(first, count).copy_to(to, width);
    }
}
