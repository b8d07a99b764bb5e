//! Matrix products by panels of columns, with what follows a product (bias, residual, activation) done while its tile
//! is in cache.
//!
//! The depth is walked block by block. Of a block, a tile of left rows stays in cache, as it is in memory or gathered
//! by [`Rows`]; the right matrix passes by panel by panel, each copied side by side into a buffer. No other copy is
//! made.

use oplink::{KernelEnv, Result, Shape, Tensor};

use super::finish::{Finish, Left, Panel};
use super::matrix::Matrix;
use super::scratch::Scratch;
use super::tile::{Runs, TileElement};
use super::{TASK_COST, polled};
use oplink_cpu_support::parallel::{for_each_chunk_up_to, for_each_row};

/// Elements of a block of the depth of a tile's rows.
const TILE_ELEMENTS: usize = 1 << 16;
/// Rows of a tile at most.
const MAX_TILE: usize = 1024;
/// Elements of a block of the depth at most.
const DEPTH_BLOCK: usize = 512;
/// From this many rows on a panel is copied side by side first.
const PACKED_FROM: usize = 16;
/// Below this many rows a thread, threads share out columns.
const FEW_ROWS: usize = 48;

/// The rows of a left matrix.
pub trait Rows<L>: Sync {
    /// Elements of a row.
    fn depth(&self) -> usize;

    /// Whether `rows` needs scratch.
    fn gathers(&self) -> bool;

    /// Elements `from..from + length` (`depth`) of `count` rows from `start` on (`rows`). `scratch`, which it may
    /// write, has room for `count * length` elements where `gathers`.
    fn rows<'s>(&'s self, rows: (usize, usize), depth: (usize, usize), scratch: &'s mut [L]) -> Strided<'s, L>;
}

/// The rows of a matrix as they are in memory.
pub struct MatrixRows<'a, L>(pub Matrix<'a, L>);

impl<L: Copy + Sync> Rows<L> for MatrixRows<'_, L> {
    fn depth(&self) -> usize {
        self.0.columns()
    }

    fn gathers(&self) -> bool {
        false
    }

    fn rows<'s>(&'s self, rows: (usize, usize), depth: (usize, usize), _: &'s mut [L]) -> Strided<'s, L> {
        self.0.row_range(rows.0, rows.1).column_range(depth.0, depth.1).parts()
    }
}

/// Where rows are, the elements from one to the next, and from one element of a row to the next.
pub type Strided<'a, L> = (&'a [L], (usize, usize));

/// A product of rows with a matrix.
#[derive(Clone, Copy)]
pub struct Product<'a, L> {
    /// The left rows.
    pub rows: &'a dyn Rows<L>,
    /// The right matrix, as many rows as the left ones have elements.
    pub right: Matrix<'a, L>,
    /// What follows.
    pub finish: Finish<'a, L>,
}

impl<L: TileElement> Product<'_, L> {
    /// Computes the rows that `out` holds side by side, on the environment's threads.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [L]) -> Result<()> {
        let columns = self.right.columns();
        if out.is_empty() {
            return Ok(());
        }
        let (count, threads) = (out.len() / columns, env.intra_op_threads());
        let cost = self.rows.depth().max(1);
        if threads > 1 && count < threads * FEW_ROWS && columns >= 2 * L::WIDTH && out.len() * cost >= 2 * TASK_COST {
            return self.compute_by_columns(env, count, out);
        }
        Scratch::with(env, self.scratch(count), |scratch| {
            let grain = TASK_COST.div_ceil(cost);
            for_each_chunk_up_to(env, out, polled(grain), columns, &|start, part| {
                scratch.lend(|scratch| self.multiply(start / columns, part, columns, scratch));
            });
            Ok(())
        })
    }

    /// As `compute` for few rows: threads share out the columns, each block of which is computed by itself.
    fn compute_by_columns(&self, env: &dyn KernelEnv, count: usize, out: &mut [L]) -> Result<()> {
        let columns = self.right.columns();
        let width = columns.div_ceil(2 * env.intra_op_threads()).next_multiple_of(L::WIDTH);
        let blocks = columns.div_ceil(width);
        let mut parts = Tensor::allocate(L::DTYPE, Shape::new(&[blocks, count, width]), env.allocator())?;
        let parts = parts.as_mut_slice::<L>()?;
        Scratch::with(env, self.scratch(count), |scratch| {
            for_each_row(env, parts, count * width, 1, &|block, part| {
                let range = block * width..columns.min((block + 1) * width);
                scratch.lend(|scratch| self.multiply_columns(range, 0, part, width, scratch));
            });
            Ok(())
        })?;
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            for (block, out) in out.chunks_mut(width).enumerate() {
                out.copy_from_slice(&parts[(block * count + row) * width..][..out.len()]);
            }
        }
        Ok(())
    }

    /// Rows that are computed at a time, of `count`: about as many as the cache holds, and parts of one size.
    fn tile(&self, count: usize) -> usize {
        let wanted = self.wanted_tile();
        let tiles = ((count + wanted / 2) / wanted).max(1);
        count.div_ceil(tiles).next_multiple_of(4)
    }

    fn wanted_tile(&self) -> usize {
        (TILE_ELEMENTS / self.depth_block()).min(MAX_TILE)
    }

    /// The longest block of the depth.
    fn depth_block(&self) -> usize {
        let depth = self.rows.depth().max(1);
        depth.div_ceil(depth.div_ceil(DEPTH_BLOCK))
    }

    /// Scratch elements that a thread needs to compute at most `count` rows.
    pub fn scratch(&self, count: usize) -> usize {
        let tile = if self.rows.gathers() { count.min(2 * self.wanted_tile()).next_multiple_of(4) } else { 0 };
        (L::WIDTH + tile) * self.depth_block()
    }

    /// Computes the rows from `first` on that `out` holds, `stride` apart, on this thread.
    pub fn multiply(&self, first: usize, out: &mut [L], stride: usize, scratch: &mut [L]) {
        self.multiply_columns(0..self.right.columns(), first, out, stride, scratch);
    }

    /// As `multiply`, for some columns: `out` begins with the first of them.
    fn multiply_columns(
        &self,
        range: std::ops::Range<usize>,
        first: usize,
        out: &mut [L],
        stride: usize,
        scratch: &mut [L],
    ) {
        let (depth, block) = (self.rows.depth(), self.depth_block());
        let (buffer, gathered) = scratch.split_at_mut(L::WIDTH * block);
        let tile = self.tile(out.len().div_ceil(stride));
        for (index, out) in out.chunks_mut(tile * stride).enumerate() {
            let rows = (first + index * tile, out.len().div_ceil(stride));
            for from in (0..depth.max(1)).step_by(block) {
                let length = block.min(depth - from);
                let (values, strides) = self.rows.rows(rows, (from, length), gathered);
                let ends = (from == 0, from + length == depth);
                let left = Left { values, strides, runs: Runs::one(length), rows, ends };
                for column in range.clone().step_by(L::WIDTH) {
                    let columns = (column, L::WIDTH.min(range.end - column));
                    let panel = panel_of(self.right, self.finish.scale, (from, length), columns, rows.1, buffer);
                    self.finish.multiply(left, panel, &mut out[column - range.start..], stride);
                }
            }
        }
    }
}

/// Lines `from..from + length` of a panel that `count` rows are to be multiplied with: in `buffer`, or where they are.
/// `buffer` has room for [`TileElement::WIDTH`] elements of each line.
pub fn panel_of<'s, L: TileElement>(
    right: Matrix<'s, L>,
    scale: Option<&[L]>,
    (from, length): (usize, usize),
    columns: (usize, usize),
    count: usize,
    buffer: &'s mut [L],
) -> Panel<'s, L> {
    let part = right.row_range(from, length).column_range(columns.0, columns.1);
    let (values, (stride, column_stride)) = part.parts();
    if scale.is_none() && column_stride == 1 && columns.1 == L::WIDTH && (count < PACKED_FROM || stride == L::WIDTH) {
        return Panel { values, stride, columns };
    }
    let buffer = &mut buffer[..length * L::WIDTH];
    part.copy_to(buffer, L::WIDTH);
    if columns.1 < L::WIDTH {
        buffer.chunks_exact_mut(L::WIDTH).for_each(|line| line[columns.1..].fill(L::ZERO));
    }
    if let Some(scale) = scale {
        for line in buffer.chunks_exact_mut(L::WIDTH) {
            line.iter_mut().zip(&scale[columns.0..][..columns.1]).for_each(|(x, &scale)| *x = x.mul(scale));
        }
    }
    Panel { values: buffer, stride: L::WIDTH, columns }
}
