//! Right matrices that are the same at every run: copied once into the panels that tiles are multiplied with.

use crate::HAS_GEMM;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use oplink::{DType, KernelEnv, Result, Shape, Tensor};

use super::direct::{Panels, WIDTH, multiply_rows};
use super::finish::{Finish, Left, Panel};
use super::matrix::Matrix;
use super::shared::{OfConstant, of_constant};
use super::source::{Matrices, Source};
use super::tile::{Runs, TileElement};
use super::{packed_row, polled};
use oplink_cpu_support::parallel::{for_each_chunk_up_to, for_each_row};

const _: () = assert!(WIDTH == <f32 as TileElement>::WIDTH, "tiles and direct convolutions have panels of their own");

/// Elements of a matrix that is packed, at most: a copy of a larger one costs more memory than it is worth.
pub const MAX_PACKED: usize = 1 << 24;

/// Rows of a left matrix from which on products are made as convolutions are; where the right matrix is not packed, by
/// `gemm`.
pub const MANY_ROWS: usize = 32;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = if cfg!(test) { 1 << 10 } else { 1 << 19 };
/// Elements of a block of the depth of a tile's rows.
const TILE_ELEMENTS: usize = 1 << 16;
/// Elements of a block of the depth at most.
const DEPTH_BLOCK: usize = 512;
/// Below this many rows a thread, threads share out columns.
const FEW_ROWS: usize = 16;
/// Rows that stay together, at most.
const ROW_UNIT: usize = 48;

/// A constant right matrix, packed when it is first multiplied.
#[derive(Debug)]
pub struct ConstantMatrix {
    packed: OnceLock<Arc<OfConstant<PackedMatrix>>>,
}

impl ConstantMatrix {
    /// That of a constant, if it is one that is worth it.
    pub fn of(constant: Option<&Tensor>) -> Option<Self> {
        let fits = |value: &Tensor| value.rank() == 2 && value.num_elements() <= MAX_PACKED;
        constant.is_some_and(|value| HAS_GEMM && fits(value)).then(|| Self { packed: OnceLock::new() })
    }

    /// The packed form of `matrix`, the constant, which is `transposed` first where that is so, and which `pack` makes.
    ///
    /// # Errors
    /// That of `pack`.
    #[inline]
    pub fn packed(
        &self,
        (matrix, transposed): (&Tensor, bool),
        pack: impl FnOnce() -> Result<PackedMatrix>,
    ) -> Result<&PackedMatrix> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed);
        }
        let columns = matrix.shape().dims().last().copied().unwrap_or(0);
        let packed = of_constant(matrix, (columns, usize::from(transposed)), pack)?;
        Ok(self.packed.get_or_init(|| packed))
    }
}

/// A right matrix in panels: lines of [`WIDTH`] columns, those of a panel one after the other.
#[derive(Debug)]
pub struct PackedMatrix {
    pub(crate) panels: Tensor,
    depth: usize,
    columns: usize,
}

impl PackedMatrix {
    /// Copies a matrix.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn new(matrix: Matrix<'_, f32>) -> Result<Self> {
        let mut packed = Self::zeros(matrix.rows(), matrix.columns())?;
        let panel = (packed.depth * WIDTH).max(1);
        for (index, panel) in packed.panels.as_mut_slice::<f32>()?.chunks_exact_mut(panel).enumerate() {
            let first = index * WIDTH;
            matrix.column_range(first, WIDTH.min(packed.columns - first)).copy_to(panel, WIDTH);
        }
        Ok(packed)
    }

    /// Of a matrix of `columns` columns in row-major order, on the environment's threads.
    ///
    /// # Errors
    /// There is no memory for it; it cannot be read.
    pub fn of_rows(env: &dyn KernelEnv, source: Source<'_, f32>, columns: usize) -> Result<Self> {
        let matrix = Matrices { source, count: 1, columns };
        let mut packed = Self::zeros(matrix.rows(), columns)?;
        let panel = packed.depth * WIDTH;
        matrix.fill_panels(env, packed.panels.as_mut_slice::<f32>()?, (panel, 1), &|rows, count, panels| {
            let rows = Matrix::row_major(rows[0], count, columns);
            for (index, panel) in panels.iter_mut().enumerate() {
                let first = index * WIDTH;
                rows.column_range(first, WIDTH.min(columns - first)).copy_to(panel, WIDTH);
            }
        })?;
        Ok(packed)
    }

    fn zeros(depth: usize, columns: usize) -> Result<Self> {
        let panels = Tensor::lasting(DType::Float, [columns.div_ceil(WIDTH) * depth * WIDTH])?;
        Ok(Self { panels, depth, columns })
    }

    fn panels(&self) -> Panels<'_> {
        Panels { lines: self.lines(), depth: self.depth, columns: self.columns, last_is_half: false }
    }

    fn lines(&self) -> &[f32] {
        // They were made with this dtype, in memory.
        self.panels.as_slice().unwrap_or_default()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.depth
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Writes `left` times the matrix and what follows, which has no factors, to `out` on the environment's threads.
    /// The result does not depend on their number.
    ///
    /// # Errors
    /// There is no memory for the parts of a few rows.
    ///
    /// # Panics
    /// Where the columns of `left` are not as many as the matrix has rows, or `out` has not the product's elements.
    pub fn multiply(
        &self,
        env: &dyn KernelEnv,
        left: Matrix<'_, f32>,
        finish: Finish<'_, f32>,
        out: &mut [f32],
    ) -> Result<()> {
        assert!(left.columns() == self.depth && left.rows() * self.columns == out.len(), "extents differ");
        if out.is_empty() {
            return Ok(());
        }
        let (rows, threads, columns) = (left.rows(), env.intra_op_threads(), self.columns);
        let (values, (stride, column_stride)) = left.parts();
        if HAS_GEMM && rows >= MANY_ROWS && column_stride == 1 && self.depth > 0 {
            return multiply_rows(env, (values, stride), self.panels(), finish, out);
        }
        let grains = polled(TASK_COST.div_ceil(self.depth.max(1)));
        if HAS_GEMM && rows == 1 && column_stride == 1 {
            let (x, panel) = (&values[..self.depth], self.depth * WIDTH);
            for_each_chunk_up_to(env, out, grains, packed_row::COLUMNS, &|start, part| {
                let finish = finish.at_column(start);
                finish.start(part);
                packed_row::add_row(x, &self.lines()[start / WIDTH * panel..], part);
                finish.end(part);
            });
            return Ok(());
        }
        if threads > 1 && rows < threads * FEW_ROWS && columns >= 2 * WIDTH && out.len() >= 2 * grains.0 {
            return self.multiply_by_columns(env, left, finish, out);
        }
        let unit = rows.div_ceil(2 * threads).next_multiple_of(4).min(ROW_UNIT);
        for_each_chunk_up_to(env, out, grains, unit * columns, &|start, part| {
            self.block(left, start / columns, 0..columns, finish, part, columns);
        });
        Ok(())
    }

    /// As `multiply` for few rows: threads share out the columns, each block of which is computed by itself.
    fn multiply_by_columns(
        &self,
        env: &dyn KernelEnv,
        left: Matrix<'_, f32>,
        finish: Finish<'_, f32>,
        out: &mut [f32],
    ) -> Result<()> {
        let (rows, columns) = (left.rows(), self.columns);
        let width = columns.div_ceil(2 * env.intra_op_threads()).next_multiple_of(WIDTH);
        let mut parts =
            Tensor::allocate(DType::Float, Shape::new(&[columns.div_ceil(width), rows, width]), env.allocator())?;
        let parts = parts.as_mut_slice::<f32>()?;
        for_each_row(env, parts, rows * width, 1, &|index, part| {
            let range = index * width..columns.min((index + 1) * width);
            self.block(left, 0, range, finish, part, width);
        });
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            for (index, out) in out.chunks_mut(width).enumerate() {
                out.copy_from_slice(&parts[(index * rows + row) * width..][..out.len()]);
            }
        }
        Ok(())
    }

    /// Computes some columns of the rows from `first` on that `out` holds, `stride` apart: `out` begins with the first
    /// of these columns, which is one of a panel.
    fn block(
        &self,
        left: Matrix<'_, f32>,
        first: usize,
        range: Range<usize>,
        finish: Finish<'_, f32>,
        out: &mut [f32],
        stride: usize,
    ) {
        let panels = self.lines();
        let depth = self.depth.max(1);
        let block = depth.div_ceil(depth.div_ceil(DEPTH_BLOCK));
        let tile = (TILE_ELEMENTS / block).max(1);
        for (index, out) in out.chunks_mut(tile * stride).enumerate() {
            let rows = (first + index * tile, out.len().div_ceil(stride));
            for from in (0..depth).step_by(block) {
                let length = block.min(self.depth - from);
                let (values, strides) = left.row_range(rows.0, rows.1).column_range(from, length).parts();
                let ends = (from == 0, from + length == self.depth);
                let left = Left { values, strides, runs: Runs::one(length), rows, ends };
                for column in range.clone().step_by(WIDTH) {
                    let lines = &panels[(column / WIDTH * self.depth + from) * WIDTH..][..length * WIDTH];
                    let columns = (column, WIDTH.min(range.end - column));
                    let panel = Panel { values: lines, stride: WIDTH, columns };
                    finish.multiply(left, panel, &mut out[column - range.start..], stride);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_vector::multiply_row;
    use oplink_cpu_support::testing::Threads;

    fn value(i: usize) -> f32 {
        ((i * 7 + 3) % 11) as f32 - 5.0
    }

    fn naive(x: &[f32], y: &[f32], bias: &[f32], depth: usize, columns: usize, rows: usize) -> Vec<f32> {
        let at = |i: usize| {
            let (row, column) = (i / columns, i % columns);
            let sum: f32 = (0..depth).map(|k| x[row * depth + k] * y[k * columns + column]).sum();
            (sum + bias[column]).max(0.0)
        };
        (0..rows * columns).map(at).collect()
    }

    #[test]
    fn packed_products_agree_with_the_definition() {
        let sizes =
            [(1, 1, 1), (1, 40, 100), (1, 0, 3), (5, 700, 300), (17, 9, 40), (33, 20, 65), (130, 520, 31), (0, 3, 4)];
        for (rows, depth, columns) in sizes {
            let x: Vec<f32> = (0..rows * depth).map(value).collect();
            let y: Vec<f32> = (0..depth * columns).map(|i| value(i + 5)).collect();
            let bias: Vec<f32> = (0..columns).map(value).collect();
            let expected = naive(&x, &y, &bias, depth, columns, rows);
            let finish = Finish { bias: Some(&bias), bounds: Some((0.0, f32::INFINITY)), ..Finish::default() };
            let (left, right) = (Matrix::row_major(&x, rows, depth), Matrix::row_major(&y, depth, columns));
            for threads in [1, 2, 3] {
                let packed = match threads {
                    1 => PackedMatrix::new(right),
                    _ => PackedMatrix::of_rows(&Threads(threads), Source::Memory(&y), columns),
                };
                let packed = packed.unwrap();
                let mut out = vec![7.0; rows * columns];
                packed.multiply(&Threads(threads), left, finish, &mut out).unwrap();
                assert_eq!(out, expected, "{rows}x{depth}x{columns} with {threads} threads");
                if rows == 1 && HAS_GEMM {
                    out.fill(7.0);
                    assert!(multiply_row(&Threads(threads), left, right, finish, &mut out).unwrap());
                    assert_eq!(out, expected, "row vector {depth}x{columns} with {threads} threads");
                }
            }
        }
    }

    #[test]
    fn transposed_matrices_are_packed() {
        let y: Vec<f32> = (0..70 * 45).map(value).collect();
        let x: Vec<f32> = (0..70).map(value).collect();
        let turned: Vec<f32> = (0..70 * 45).map(|i| y[i % 45 * 70 + i / 45]).collect();
        let expected = naive(&x, &turned, &[0.0; 45], 70, 45, 1);
        let packed = PackedMatrix::new(Matrix::row_major(&y, 45, 70).transposed(true)).unwrap();
        let mut out = [0.0; 45];
        let finish = Finish { bounds: Some((0.0, f32::INFINITY)), ..Finish::default() };
        packed.multiply(&Threads(1), Matrix::row_major(&x, 1, 70), finish, &mut out).unwrap();
        assert_eq!(&out[..], expected);
    }
}
