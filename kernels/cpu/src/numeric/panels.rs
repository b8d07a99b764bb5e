//! Matrix products by panels of columns, with what follows a product (bias, residual, activation) done while its tile
//! is in cache.
//!
//! The depth is walked block by block. Of a block, a tile of left rows stays in cache, as it is in memory or gathered by
//! [`Rows`]; the right matrix passes by panel by panel, each copied side by side into a buffer. No other copy is made.

use oplink::{KernelEnv, Result, Shape, Tensor};

use super::gemm::Matrix;
use super::scratch::Scratch;
use super::tile::{Start, TileLane, Tiles};
use crate::support::parallel::{for_each_chunk, for_each_row};

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;
/// Elements of a block of the depth of a tile's rows.
const TILE_ELEMENTS: usize = 1 << 16;
/// Rows of a tile at most.
const MAX_TILE: usize = 1024;
/// Rows that pass through all that follows a product at a time.
const STRIP: usize = 48;
/// Elements of a block of the depth at most.
const DEPTH_BLOCK: usize = 512;
/// From this many rows on a panel is copied side by side first.
const PACKED_FROM: usize = 16;
/// Below this many rows a thread, threads share out columns.
const FEW_ROWS: usize = 48;
/// Columns of the widest panel.
const MAX_WIDTH: usize = 32;

/// The rows of a left matrix.
pub(crate) trait Rows<L>: Sync {
    /// Elements of a row.
    fn depth(&self) -> usize;

    /// Whether `rows` needs scratch.
    fn gathers(&self) -> bool;

    /// Elements `from..from + length` of `count` rows from `start` on: where they are, and the elements from one row to
    /// the next. `scratch`, which it may write, has room for `count * length` elements where `gathers`.
    fn rows<'s>(&'s self, range: (usize, usize), depth: (usize, usize), scratch: &'s mut [L]) -> (&'s [L], usize);
}

/// What follows a product.
#[derive(Clone, Copy)]
pub(crate) struct Finish<'a, L> {
    /// A factor for each column of the product.
    pub(crate) scale: Option<&'a [L]>,
    /// A value added to each column.
    pub(crate) bias: Option<&'a [L]>,
    /// Rows added to those of the product, this many elements apart.
    pub(crate) side: Option<(&'a [L], usize)>,
    /// Values below the first end as the first, above the second as the second; NaN stays.
    pub(crate) bounds: Option<(L, L)>,
    /// The last change to the values.
    pub(crate) activation: Option<&'a (dyn Fn(&mut [L]) + Sync)>,
}

impl<L> Default for Finish<'_, L> {
    fn default() -> Self {
        Self { scale: None, bias: None, side: None, bounds: None, activation: None }
    }
}

impl<'a, L> Finish<'a, L> {
    /// That of the columns from `column` on.
    pub(crate) fn from_column(self, column: usize) -> Self {
        let tail = |values: &'a [L]| &values[column..];
        let side = self.side.map(|(values, stride)| (tail(values), stride));
        Self { scale: self.scale.map(tail), bias: self.bias.map(tail), side, ..self }
    }
}

/// A product of rows with a matrix.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a, L> {
    /// The left rows.
    pub(crate) rows: &'a dyn Rows<L>,
    /// The right matrix, as many rows as the left ones have elements.
    pub(crate) right: Matrix<'a, L>,
    /// What follows.
    pub(crate) finish: Finish<'a, L>,
}

/// Rows of a tile and a block of their depth.
#[derive(Clone, Copy)]
struct Left<'a, L> {
    values: &'a [L],
    stride: usize,
    /// Position of the first row, and the number of rows.
    rows: (usize, usize),
    /// Position of the block, and its length.
    depth: (usize, usize),
}

impl<L: TileLane> Product<'_, L> {
    /// Computes the rows that `out` holds side by side, on the environment's threads.
    pub(crate) fn compute(&self, env: &dyn KernelEnv, out: &mut [L]) -> Result<()> {
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
            for_each_chunk(env, out, TASK_COST.div_ceil(cost), columns, &|start, part| {
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
    pub(crate) fn scratch(&self, count: usize) -> usize {
        let tile = if self.rows.gathers() { count.min(2 * self.wanted_tile()).next_multiple_of(4) } else { 0 };
        (L::WIDTH + tile) * self.depth_block()
    }

    /// Computes the rows from `first` on that `out` holds, `stride` apart, on this thread.
    pub(crate) fn multiply(&self, first: usize, out: &mut [L], stride: usize, scratch: &mut [L]) {
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
        let (panel, gathered) = scratch.split_at_mut(L::WIDTH * block);
        let tile = self.tile(out.len().div_ceil(stride));
        for (index, out) in out.chunks_mut(tile * stride).enumerate() {
            let rows = (first + index * tile, out.len().div_ceil(stride));
            for from in (0..depth.max(1)).step_by(block) {
                let depth = (from, block.min(depth - from));
                let (values, left_stride) = self.rows.rows(rows, depth, gathered);
                let left = Left { values, stride: left_stride, rows, depth };
                for column in range.clone().step_by(L::WIDTH) {
                    let columns = (column, L::WIDTH.min(range.end - column));
                    self.panel(left, columns, panel, &mut out[column - range.start..], stride);
                }
            }
        }
    }

    /// The rows of `left` times a panel of columns.
    fn panel(&self, left: Left<'_, L>, columns: (usize, usize), buffer: &mut [L], out: &mut [L], stride: usize) {
        let (first, last) = (left.depth.0 == 0, left.depth.0 + left.depth.1 == self.rows.depth());
        let mut bias = [L::ZERO; MAX_WIDTH];
        if let Some(values) = self.finish.bias {
            bias[..columns.1].copy_from_slice(&values[columns.0..][..columns.1]);
        }
        let (panel, panel_stride) = self.lines(left, columns, buffer);
        for row in (0..left.rows.1).step_by(STRIP) {
            let count = STRIP.min(left.rows.1 - row);
            let out = &mut out[row * stride..];
            let start = match self.finish.side {
                _ if !first => Start::Output,
                Some(_) => {
                    self.write_side((left.rows.0 + row, count), columns, &bias, out, stride);
                    Start::Output
                }
                None if self.finish.bias.is_some() => Start::Columns(&bias),
                None => Start::Zero,
            };
            let tiles = Tiles {
                rows: &left.values[row * left.stride..],
                row_stride: left.stride,
                panel,
                panel_stride,
                depth: left.depth.1,
                start,
                bounds: self.finish.bounds.filter(|_| last),
                out_stride: stride,
                columns: columns.1,
            };
            L::multiply(&tiles, count, out);
            if let Some(activation) = self.finish.activation.filter(|_| last) {
                (0..count).for_each(|row| activation(&mut out[row * stride..][..columns.1]));
            }
        }
    }

    /// Sets a strip of the output to what is added to the products: `side` and `bias`.
    fn write_side(
        &self,
        (row, count): (usize, usize),
        (column, columns): (usize, usize),
        bias: &[L],
        out: &mut [L],
        stride: usize,
    ) {
        let (side, side_stride) = self.finish.side.unwrap_or_default();
        for i in 0..count {
            let side = &side[(row + i) * side_stride + column..][..columns];
            for ((out, &side), &bias) in out[i * stride..].iter_mut().zip(side).zip(bias) {
                *out = side.add(bias);
            }
        }
    }

    /// The lines of a panel that a block of the depth meets, and the elements from one to the next.
    fn lines<'s>(
        &'s self,
        left: Left<'_, L>,
        (column, columns): (usize, usize),
        buffer: &'s mut [L],
    ) -> (&'s [L], usize) {
        let right = self.right.row_range(left.depth.0, left.depth.1).column_range(column, columns);
        if let (Some((values, stride)), None) = (right.lines(), self.finish.scale)
            && columns == L::WIDTH
            && (left.rows.1 < PACKED_FROM || stride == L::WIDTH)
        {
            return (values, stride);
        }
        let buffer = &mut buffer[..left.depth.1 * L::WIDTH];
        right.copy_lines(buffer, L::WIDTH);
        if let Some(scale) = self.finish.scale {
            for line in buffer.chunks_exact_mut(L::WIDTH) {
                line.iter_mut().zip(&scale[column..column + columns]).for_each(|(x, &scale)| *x = x.mul(scale));
            }
        }
        (buffer, L::WIDTH)
    }
}
