//! The right matrix of a product in panels of groups.

use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use super::Way;
use super::tile::{Bits, WIDTH};
use crate::matrix::Matrix;
use oplink_cpu_support::parallel::for_each_chunk;

/// Lines of elements that are brought into groups at a time.
const LINES: usize = 64;
/// Groups that one thread should at least make.
const GRAIN: usize = 1 << 14;

/// A right matrix in panels: a line of [`WIDTH`] groups for each group of the depth, those of a panel one after the
/// other. What is missing in the last group and the last panel is zero.
#[derive(Debug)]
pub struct Panels<E: 'static, S: 'static> {
    memory: Tensor,
    way: &'static Way<E, S>,
    depth: usize,
    columns: usize,
}

impl<E: Bits, S> Panels<E, S> {
    /// Of a matrix, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, way: &'static Way<E, S>, matrix: Matrix<'_, E>) -> Result<Self> {
        let shape = Shape::new(&[Self::size(way, &matrix)]);
        Self::filled(env, way, Tensor::allocate(DType::UInt32, shape, env.allocator())?, matrix)
    }

    /// Of a matrix, for many runs.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn lasting(env: &dyn KernelEnv, way: &'static Way<E, S>, matrix: Matrix<'_, E>) -> Result<Self> {
        Self::filled(env, way, Tensor::lasting(DType::UInt32, [Self::size(way, &matrix)])?, matrix)
    }

    fn size(way: &Way<E, S>, matrix: &Matrix<'_, E>) -> usize {
        matrix.columns().next_multiple_of(WIDTH).saturating_mul(matrix.rows().div_ceil(way.group))
    }

    fn filled(env: &dyn KernelEnv, way: &'static Way<E, S>, mut memory: Tensor, matrix: Matrix<'_, E>) -> Result<Self> {
        let (depth, columns) = (matrix.rows(), matrix.columns());
        let panel = depth.div_ceil(way.group) * WIDTH;
        if panel > 0 {
            for_each_chunk(env, memory.as_mut_slice::<u32>()?, GRAIN, panel, &|start, part| {
                for (index, to) in part.chunks_exact_mut(panel).enumerate() {
                    let first = (start / panel + index) * WIDTH;
                    fill(way, matrix.column_range(first, WIDTH.min(columns - first)), to);
                }
            });
        }
        Ok(Self { memory, way, depth, columns })
    }

    /// The way of multiplying.
    pub fn way(&self) -> &'static Way<E, S> {
        self.way
    }

    /// Rows of the matrix.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Groups of a column.
    pub(super) fn groups(&self) -> usize {
        self.depth.div_ceil(self.way.group)
    }

    /// The lines of all panels.
    ///
    /// # Errors
    /// None: the memory holds `u32`.
    pub(super) fn lines(&self) -> Result<&[u32]> {
        self.memory.as_slice()
    }
}

/// Fills a panel with the groups of at most [`WIDTH`] columns.
fn fill<E: Bits, S>(way: &Way<E, S>, columns: Matrix<'_, E>, to: &mut [u32]) {
    let mut block = [E::default(); LINES * WIDTH];
    for (index, to) in to.chunks_mut(LINES / way.group * WIDTH).enumerate() {
        let first = index * LINES;
        let count = LINES.min(columns.rows() - first);
        columns.row_range(first, count).copy_to(&mut block, WIDTH);
        block[count * WIDTH..].fill(E::default());
        (way.right)(&block[..to.len() * way.group], to);
    }
}
