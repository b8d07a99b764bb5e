//! Direct convolutions: products of the pixels of an image, read where they are, with a filter in panels.
//!
//! Work is shared out by blocks of output lines and groups of panels. Each sum is made in one order whatever its share,
//! so that results do not depend on the number of threads.
#![allow(unsafe_code, reason = "shares of the work write to one output")]

mod filter;
mod filter_gradient;
mod outputs;
mod prefetch;
mod rows;
mod tile;
mod tiling;
mod transformed;
mod walk;
pub mod winograd;
pub mod winograd_gradient;
pub mod winograd_once;

use std::ops::Range;
use std::thread::{self, ThreadId};

use oplink::{KernelEnv, Result, parallel};

use crate::TASK_COST;
use crate::finish::Finish;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;
use filter::Panel;
pub(crate) use filter::WIDTH;
pub use filter::{PackedFilter, Panels};
pub use filter_gradient::FilterGradient;
use prefetch::Prefetch;
pub use rows::multiply_rows;
pub use tile::tile_pixels;
use tile::{Strip, Tile, max_length};
pub use tiling::Tiling;
pub use transformed::TransformedFilter;
use walk::Part;
pub use walk::Walk;

/// Elements of the input that a block of lines should have at most, where the filter is walked once for each block.
const BLOCK: usize = 1 << 16;
/// The same where all of the filter stays in cache.
const SMALL_BLOCK: usize = 1 << 14;
/// Elements of a filter that stays in cache beside a block.
const SMALL_FILTER: usize = 1 << 16;
/// The same where each block reads the filter from beyond the second level of cache.
const LARGE_BLOCK: usize = 1 << 17;
/// Elements of a filter that the second level of cache does not hold.
const LARGE_FILTER: usize = 1 << 19;
/// Multiply-adds in the time in which an element of the filter is read.
const READ_COST: usize = 8;
/// Pixels that are a multiple of so many elements apart lie in a few sets of the cache: copies have a gap between them.
const FEW_SETS_STRIDE: usize = 512;
/// Pixels that are a multiple of so many elements apart lie in one set of the cache, so that a tile does not fit: they
/// are copied.
pub const ONE_SET_STRIDE: usize = 1024;
/// Elements of the gap.
pub const GAP: usize = 16;
/// Shares of the work for each thread, so that all end at about the same time.
const SHARES_A_THREAD: usize = 4;

/// Where the pixels of output lines are read.
pub trait InputLines: Sync {
    /// Scratch elements that `lines` needs for so many output lines; more lines need no fewer.
    fn scratch(&self, lines: usize) -> usize;

    /// The input from the first pixel on that output lines `lines` of picture `picture` see. `scratch` may be written.
    fn lines<'s>(&'s self, picture: usize, lines: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32];

    /// The elements that output lines `lines` of these pictures are made of, as far as they are memory that can be
    /// prefetched.
    fn source(&self, _pictures: Range<usize>, _lines: Range<usize>) -> &[f32] {
        &[]
    }
}

/// The patches that output pixels see, read where [`InputLines`] has them.
#[derive(Clone, Copy)]
pub struct Patches<'a> {
    /// The pixels.
    pub input: &'a dyn InputLines,
    /// Pictures.
    pub pictures: usize,
    /// Output lines of a picture.
    pub lines: usize,
    /// Output pixels of a line. The last line of a picture may have fewer.
    pub width: usize,
    /// Output pixels of a picture.
    pub pixels: usize,
    /// Elements of the input from a line, and from a pixel, to the next.
    pub steps: (usize, usize),
    /// What a pixel sees.
    pub walk: Walk,
}

/// A convolution.
pub struct Direct<'a> {
    /// What output pixels see.
    pub patches: Patches<'a>,
    /// The filter, a row for each element that a pixel sees.
    pub filter: Panels<'a>,
    /// What follows.
    pub finish: Finish<'a, f32>,
}

/// A division of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shares {
    /// Blocks of lines of a picture.
    blocks: usize,
    /// Groups of panels.
    groups: usize,
}

impl Direct<'_> {
    /// Computes the whole output, on the environment's threads.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        let Shares { blocks, groups } = self.shares(env.intra_op_threads());
        let panels: Vec<_> = (0..self.filter.count()).map(|panel| self.filter.get(panel)).collect();
        let out = SharedOutput::new(out, self.filter.columns);
        let most = (0..blocks).map(|block| self.lines(block, blocks).len()).max().unwrap_or(0);
        let parts = self.patches.walk.parts();
        let count = self.patches.pictures * blocks * groups;
        let order = ShareOrder::new(count);
        Scratch::with(env, self.patches.input.scratch(most), |scratch| {
            let share = |index: usize| {
                let block = index / groups;
                let (picture, block) = (block / blocks, block % blocks);
                let lines = self.lines(block, blocks);
                let group = |index: usize| part(panels.len(), index % groups, groups);
                if index == order.first() {
                    Prefetch::all(parts[0].of(&panels[group(index).start]));
                }
                let next = order.next(index).unwrap_or(index);
                let panels = (&*panels, group(index), group(next).start);
                scratch.lend(|scratch| self.block(env, (picture, lines), (panels, &parts), out, scratch));
            };
            if self.cost() < 2 * TASK_COST {
                (0..count).for_each(share);
            } else {
                env.parallel_for(count, 1, &|range| range.for_each(share));
            }
            Ok(())
        })
    }

    /// Whether threads share out the columns of the output too: then lines are asked for more than once.
    pub fn shares_columns(&self, env: &dyn KernelEnv) -> bool {
        self.shares(env.intra_op_threads()).groups > 1
    }

    /// Lines of a block of a picture, one of so many.
    fn lines(&self, block: usize, blocks: usize) -> Range<usize> {
        let unit = self.unit();
        let units = part(self.patches.lines.div_ceil(unit), block, blocks);
        units.start * unit..self.patches.lines.min(units.end * unit)
    }

    /// Lines that stay together.
    fn unit(&self) -> usize {
        if self.pairs() { 2 } else { 1 }
    }

    /// Multiply-adds, or as many as take the time in which the filter is read.
    fn cost(&self) -> usize {
        (self.patches.pictures * self.patches.pixels).max(READ_COST) * self.patches.walk.depth() * self.filter.columns
    }

    fn shares(&self, threads: usize) -> Shares {
        let Patches { pictures, lines, width, steps, .. } = self.patches;
        let filter = self.filter.depth * self.filter.columns;
        let line = (width * steps.1).max(steps.0).max(1);
        let block = match filter {
            0..=SMALL_FILTER => SMALL_BLOCK,
            LARGE_FILTER.. => LARGE_BLOCK,
            _ => BLOCK,
        };
        let units = lines.div_ceil(self.unit());
        let mut blocks = lines.div_ceil((block / line).max(1)).min(units);
        let mut groups = 1;
        if threads > 1 && self.cost() >= 2 * TASK_COST {
            let wanted = (self.cost() / TASK_COST).min(threads * SHARES_A_THREAD).next_multiple_of(threads);
            if pictures * blocks < wanted && filter > lines * line {
                groups = wanted.div_ceil(pictures * blocks).min(self.filter.count());
            }
            blocks = blocks.max(wanted.div_ceil(pictures * groups)).min(units);
        }
        Shares { blocks, groups }
    }

    /// Whether a tile has pixels of two lines.
    fn pairs(&self) -> bool {
        self.patches.width <= max_length() && self.patches.lines > 1
    }

    /// Computes the panels `group` of a block of lines of a picture; `next` is the panel behind these.
    fn block(
        &self,
        env: &dyn KernelEnv,
        (picture, lines): (usize, Range<usize>),
        ((panels, group, next), parts): ((&[Panel<'_>], Range<usize>, usize), &[Part]),
        out: SharedOutput<'_, f32>,
        scratch: &mut [f32],
    ) {
        let input = self.patches.input.lines(picture, lines.clone(), scratch);
        let tiles = self.tiles(picture, lines);
        for index in group.clone() {
            parallel::poll(env);
            let (_, width, columns) = panels[index];
            let next = &panels[if index + 1 < group.end { index + 1 } else { next }];
            for (at, part) in parts.iter().enumerate() {
                let is_last = at + 1 == parts.len();
                let strip = Strip {
                    input: &input[part.input..],
                    step: self.patches.steps.1,
                    walk: part.walk,
                    panel: part.of(&panels[index]),
                    next: parts.get(at + 1).map_or_else(|| parts[0].of(next), |part| part.of(&panels[index])),
                    width,
                    columns,
                    finish: if is_last { self.finish } else { Finish::default() },
                    adds: at > 0,
                    out,
                };
                // SAFETY: each share has columns or pixels that no other share has, and the output is borrowed for all.
                unsafe { strip.multiply(&tiles) };
            }
        }
    }

    /// The tiles of a block of lines of a picture.
    fn tiles(&self, picture: usize, lines: Range<usize>) -> Vec<Tile> {
        let mut tiles = Vec::new();
        let (mut line, first) = (lines.start, picture * self.patches.pixels);
        while line < lines.end {
            let width = self.patches.width.min(self.patches.pixels - line * self.patches.width);
            let (input, pixel) = ((line - lines.start) * self.patches.steps.0, first + line * self.patches.width);
            if self.pairs()
                && width == self.patches.width
                && line + 1 < lines.end
                && (line + 2) * self.patches.width <= self.patches.pixels
            {
                tiles.push(Tile {
                    length: width,
                    inputs: [input, input + self.patches.steps.0],
                    pixels: [pixel, pixel + width],
                });
                line += 2;
                continue;
            }
            let count = width.div_ceil(2 * max_length());
            for part in (0..count).map(|index| index * width / count..(index + 1) * width / count) {
                let length = part.len().div_ceil(2);
                let starts = [part.start, part.end - length];
                tiles.push(Tile {
                    length,
                    inputs: starts.map(|start| input + start * self.patches.steps.1),
                    pixels: starts.map(|start| pixel + start),
                });
            }
            line += 1;
        }
        tiles
    }
}

/// The order in which threads take the shares of a loop: the one that called it from the first share on, the others
/// from the last one back. So they know what to prefetch; results do not depend on it.
struct ShareOrder {
    count: usize,
    caller: ThreadId,
}

impl ShareOrder {
    /// Of so many shares, of a loop that this thread calls.
    fn new(count: usize) -> Self {
        Self { count, caller: thread::current().id() }
    }

    fn is_caller(&self) -> bool {
        thread::current().id() == self.caller
    }

    /// The share that this thread begins with.
    fn first(&self) -> usize {
        if self.is_caller() { 0 } else { self.count - 1 }
    }

    /// The share that this thread takes next, unless another has it.
    fn next(&self, index: usize) -> Option<usize> {
        let next = if self.is_caller() { Some(index + 1) } else { index.checked_sub(1) };
        next.filter(|&next| next < self.count)
    }
}

/// Elements from one copied pixel to the next.
pub fn copied_stride(depth: usize) -> usize {
    if depth.is_multiple_of(FEW_SETS_STRIDE) { depth + GAP } else { depth }
}

/// The part of so many things that is `index` of `parts`, of about the same size as the others.
fn part(count: usize, index: usize, parts: usize) -> Range<usize> {
    index * count / parts..(index + 1) * count / parts
}
