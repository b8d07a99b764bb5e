//! The filter of a convolution in panels of output channels.

use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use oplink_cpu_support::parallel::for_each_chunk;

use crate::source::{Matrices, Source};

/// Columns of a panel.
pub(super) const WIDTH: usize = 32;
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
    /// Of a matrix of `columns` columns, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, filter: &[f32], columns: usize) -> Result<Self> {
        let shape = Shape::new(&[Self::elements(filter, columns)]);
        Self::filled(env, Tensor::allocate(DType::Float, shape, env.allocator())?, filter, columns)
    }

    /// Of a matrix of `columns` columns, for many runs.
    ///
    /// # Errors
    /// Memory runs out; the filter cannot be read.
    pub fn lasting(env: &dyn KernelEnv, filter: Source<'_, f32>, columns: usize) -> Result<Self> {
        let matrix = Matrices { source: filter, count: 1, columns };
        let depth = matrix.rows();
        let mut memory = Tensor::lasting(DType::Float, [columns.next_multiple_of(HALF) * depth])?;
        matrix.fill_panels(env, memory.as_mut_slice::<f32>()?, (depth * WIDTH, 1), &|rows, count, panels| {
            for (index, to) in panels.iter_mut().enumerate() {
                pack(rows[0], columns, index * WIDTH, count, to);
            }
        })?;
        Ok(Self { memory, depth, columns })
    }

    fn elements(filter: &[f32], columns: usize) -> usize {
        columns.next_multiple_of(HALF) * (filter.len() / columns.max(1))
    }

    fn filled(env: &dyn KernelEnv, mut memory: Tensor, filter: &[f32], columns: usize) -> Result<Self> {
        let depth = filter.len() / columns.max(1);
        if depth > 0 && columns > 0 {
            let panel = depth * WIDTH;
            for_each_chunk(env, memory.as_mut_slice::<f32>()?, GRAIN, panel, &|start, part| {
                let panels = part.chunks_mut(panel).enumerate();
                panels.for_each(|(index, to)| pack(filter, columns, start / depth + index * WIDTH, depth, to));
            });
        }
        Ok(Self { memory, depth, columns })
    }

    /// Rows of the matrix.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Panels.
    pub(super) fn panels(&self) -> usize {
        self.columns.div_ceil(WIDTH)
    }

    /// The lines of a panel, their length, and the columns that count: the first and the number.
    ///
    /// # Errors
    /// None: the memory holds `f32`.
    pub(super) fn panel(&self, index: usize) -> Result<(&[f32], usize, (usize, usize))> {
        let columns = WIDTH.min(self.columns - index * WIDTH);
        let width = columns.next_multiple_of(HALF);
        let lines = &self.memory.as_slice::<f32>()?[index * WIDTH * self.depth..][..width * self.depth];
        Ok((lines, width, (index * WIDTH, columns)))
    }
}

/// Fills `to` with `depth` lines of the panel from column `first` on.
fn pack(filter: &[f32], columns: usize, first: usize, depth: usize, to: &mut [f32]) {
    let count = WIDTH.min(columns - first);
    for (to, from) in to.chunks_exact_mut(to.len() / depth).zip(filter.chunks_exact(columns)) {
        to[..count].copy_from_slice(&from[first..][..count]);
        to[count..].fill(0.0);
    }
}
