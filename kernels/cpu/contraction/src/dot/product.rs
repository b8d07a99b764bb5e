//! The product of rows and panels of groups, shared out among threads.
#![allow(unsafe_code, reason = "room: tiles of a way that is there, and shares of the work that write to one output")]

use oplink::{Element, KernelEnv, Result, parallel};

use super::tile::{Bits, Left, MAX_ROWS, Setup, Tile, VECTOR_ROWS, WIDTH};
use super::{Panels, Way};
use crate::TASK_COST;
use crate::matrix::Matrix;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Bytes of the groups of a block of rows, which stays in cache while panels pass by, for a tile of vector registers;
/// for higher tiles as many times more.
const BLOCK_BYTES: usize = 1 << 17;
/// Rows of a block at most.
const MAX_BLOCK: usize = 240;
/// Elements of a row at most: a tile is computed between two looks at the step.
const MAX_DEPTH: usize = 1 << 18;
/// Distances of rows in bytes that share the cache out badly are multiples of this.
const BAD_STEP: usize = 1 << 10;
/// What is left between rows then, in bytes.
const GAP: usize = 64;
/// Shares of the work for each thread, so that all end at about the same time.
const SHARES_A_THREAD: usize = 4;

/// The rows of a left matrix.
pub trait Rows<E>: Sync {
    /// Where the rows are in memory, and elements from one to the next; `None` where each has to be copied.
    fn in_place(&self) -> Option<(&[E], usize)>;

    /// Copies rows `first..first + count` to the beginnings of rows that are `stride` apart.
    fn copy(&self, first: usize, count: usize, to: &mut [E], stride: usize);
}

impl<E: Bits> Rows<E> for Matrix<'_, E> {
    fn in_place(&self) -> Option<(&[E], usize)> {
        let (data, (row_stride, column_stride)) = self.parts();
        (column_stride == 1).then_some((data, row_stride))
    }

    fn copy(&self, first: usize, count: usize, to: &mut [E], stride: usize) {
        self.row_range(first, count).copy_to(to, stride);
    }
}

/// The rows and columns of a tile in the product: the first of each, and how many.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Rows.
    pub rows: (usize, usize),
    /// Columns.
    pub columns: (usize, usize),
}

/// Makes elements of the output of sums, in rows of [`WIDTH`].
pub(super) type Finisher<'a, S, O> = &'a (dyn Fn(Place, &mut [S], &mut [O]) + Sync);

/// A product of rows and panels.
pub struct Product<'a, E: 'static, S: 'static> {
    /// The left rows.
    pub rows: &'a dyn Rows<E>,
    /// Their number.
    pub count: usize,
    /// The right matrix.
    pub right: &'a Panels<E, S>,
}

/// A division of the work: tiles of a block of rows, and panels of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shares {
    tiles: usize,
    panels: usize,
}

impl<E: Bits + Element, S: Copy + Default> Product<'_, E, S> {
    /// Writes the product, as `finish` makes its elements, on the environment's threads.
    ///
    /// # Errors
    /// Memory runs out.
    ///
    /// # Panics
    /// Where `out` has not the product's elements, or rows are too short.
    pub fn compute<O: Copy + Default + Send>(
        &self,
        env: &dyn KernelEnv,
        finish: Finisher<'_, S, O>,
        out: &mut [O],
    ) -> Result<()> {
        let columns = self.right.columns();
        assert_eq!(out.len(), self.count * columns, "the product has other extents");
        if out.is_empty() {
            return Ok(());
        }
        let shares = self.shares(env.intra_op_threads());
        let rows_a_tile = self.right.way().rows;
        let (tiles, panels) = (self.count.div_ceil(rows_a_tile), columns.div_ceil(WIDTH));
        let groups = panels.div_ceil(shares.panels);
        let out = SharedOutput::new(out, columns);
        let lines = self.right.lines()?;
        let block = (shares.tiles * rows_a_tile).min(self.count);
        let (copied, grouped) = self.scratch(block);
        Scratch::<E>::with(env, copied, |copied| {
            Scratch::<u32>::with(env, grouped, |grouped| {
                let share = |index: usize| {
                    let (first, panel) = (index / groups * shares.tiles * rows_a_tile, index % groups * shares.panels);
                    let rows = (first, block.min(self.count - first));
                    let range = panel..panels.min(panel + shares.panels);
                    copied.lend(|copied| {
                        grouped.lend(|grouped| {
                            let left = self.left(rows, copied, grouped);
                            let _ready = Ready::new(self.right.way().setup.filter(|_| self.count > 1));
                            for panel in range {
                                parallel::poll(env);
                                self.strip(left, lines, rows, panel, finish, out);
                            }
                        });
                    });
                };
                let count = tiles.div_ceil(shares.tiles) * groups;
                if self.cost() < 2 * TASK_COST {
                    (0..count).for_each(share);
                } else {
                    env.parallel_for(count, 1, &|range| range.for_each(share));
                }
                Ok(())
            })
        })
    }

    /// Multiply-adds.
    fn cost(&self) -> usize {
        self.count.saturating_mul(self.right.depth()).saturating_mul(self.right.columns())
    }

    fn shares(&self, threads: usize) -> Shares {
        let rows_a_tile = self.right.way().rows;
        let (tiles, panels) = (self.count.div_ceil(rows_a_tile), self.right.columns().div_ceil(WIDTH));
        let row = (4 * self.right.groups()).max(1);
        let mut block = (BLOCK_BYTES / (row * VECTOR_ROWS)).clamp(1, (MAX_BLOCK / rows_a_tile).min(tiles));
        let mut group = panels;
        if threads > 1 && self.cost() >= 2 * TASK_COST {
            let wanted = (self.cost() / TASK_COST).min(threads * SHARES_A_THREAD);
            let blocks = tiles.div_ceil(block);
            if blocks < wanted && panels > tiles {
                group = panels.div_ceil(wanted.div_ceil(blocks)).max(1);
            }
            let groups = panels.div_ceil(group);
            if blocks * groups < wanted {
                block = tiles.div_ceil(wanted.div_ceil(groups)).min(block);
            }
        }
        Shares { tiles: block, panels: group }
    }

    /// The rows as they are in memory, where a tile can read them there.
    fn readable(&self) -> Option<(&[E], usize)> {
        let way = self.right.way();
        let readable =
            self.rows.in_place().filter(|_| way.left.is_none() && self.right.depth().is_multiple_of(way.group));
        readable.filter(|(_, step)| self.count == 1 || !(step * size_of::<E>()).is_multiple_of(BAD_STEP))
    }

    /// Elements from a copied row to the next: whole groups.
    fn stride(&self) -> usize {
        let stride = self.right.depth().next_multiple_of(self.right.way().group);
        let is_bad = stride > 0 && (stride * size_of::<E>()).is_multiple_of(BAD_STEP);
        if is_bad { stride + GAP / size_of::<E>() } else { stride }
    }

    /// Elements and groups of scratch for a block of so many rows.
    fn scratch(&self, rows: usize) -> (usize, usize) {
        if self.readable().is_some() {
            return (0, 0);
        }
        let copied = rows * self.stride();
        (copied, if self.right.way().left.is_some() { copied / self.right.way().group } else { 0 })
    }

    /// The groups of some rows.
    fn left<'s>(&'s self, (first, count): (usize, usize), copied: &'s mut [E], grouped: &'s mut [u32]) -> Left<'s> {
        if let Some((elements, step)) = self.readable() {
            return Left::of(elements.get(first * step..).unwrap_or_default(), step);
        }
        let (stride, depth, way) = (self.stride(), self.right.depth(), self.right.way());
        let copied = &mut copied[..count * stride];
        if stride > 0 {
            self.rows.copy(first, count, copied, stride);
            copied.chunks_exact_mut(stride).for_each(|row| row[depth..].fill(E::default()));
        }
        let Some(group) = way.left else { return Left::of(copied, stride) };
        let grouped = &mut grouped[..copied.len() / way.group];
        group(copied, grouped);
        Left::of(grouped, stride / way.group)
    }

    /// Computes the columns of a panel of the rows from the first on.
    fn strip<O: Copy + Default>(
        &self,
        left: Left<'_>,
        lines: &[u32],
        (first, count): (usize, usize),
        panel: usize,
        finish: Finisher<'_, S, O>,
        out: SharedOutput<'_, O>,
    ) {
        let (groups, column) = (self.right.groups(), panel * WIDTH);
        let columns = WIDTH.min(self.right.columns() - column);
        let panel = &lines[panel * groups * WIDTH..][..groups * WIDTH];
        let rows_a_tile = self.right.way().rows;
        let (mut sums, mut finished) = ([S::default(); MAX_ROWS * WIDTH], [O::default(); MAX_ROWS * WIDTH]);
        for row in (0..count).step_by(rows_a_tile) {
            let rows = rows_a_tile.min(count - row);
            let tile = Tile { left: left.skip(row), panel, groups, columns, single: self.count == 1 };
            // SAFETY: ways are given out on processors that have their instructions.
            unsafe { tile.compute(self.right.way().tile, rows, &mut sums) };
            finish(
                Place { rows: (first + row, rows), columns: (column, columns) },
                &mut sums[..rows * WIDTH],
                &mut finished[..rows * WIDTH],
            );
            for (index, line) in finished.chunks_exact(WIDTH).take(rows).enumerate() {
                let at = (first + row + index) * out.stride + column;
                // SAFETY: each share has rows or columns that no other share has, and the output is borrowed for all.
                unsafe { out.copy_from(at, &line[..columns]) };
            }
        }
    }
}

/// A thread that is ready for the tiles of a way.
struct Ready(Option<Setup>);

impl Ready {
    fn new(setup: Option<Setup>) -> Self {
        if let Some(Setup { begin, .. }) = setup {
            // SAFETY: ways are given out on processors that have their instructions.
            unsafe { begin() };
        }
        Self(setup)
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        if let Some(Setup { end, .. }) = self.0 {
            // SAFETY: a way that was given out on this processor has made it ready.
            unsafe { end() };
        }
    }
}

impl<E: Bits, S> Way<E, S> {
    /// Whether products of this depth are computed: longer ones would keep a step from being cancelled.
    pub fn fits(&self, depth: usize) -> bool {
        depth <= MAX_DEPTH
    }
}
