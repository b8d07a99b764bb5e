//! How an output is cut: into parts for threads, and these into tiles that stay in cache.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::operand::Pattern;
use crate::interrupt::{POLLED_GRAINS, poll};
use crate::tensor::values::ValuesMut;
use crate::{KernelEnv, Step};

/// Elements of a tile: few enough that all buffers of a chain stay in cache.
pub(super) const TILE: usize = 1024;

/// Elements that one thread should at least have of a cheap function.
pub(super) const GRAIN: usize = 32 * 1024;
/// Elements that one thread should at least have of a function of some ten operations or more.
pub(super) const COSTLY_GRAIN: usize = 8 * 1024;

/// Parts made for each thread, so that an uneven machine still ends together.
const PARTS_A_THREAD: usize = 4;

/// How an output is cut into tiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiling {
    /// Parts of the output that threads take begin at multiples of this.
    pub(super) unit: usize,
    /// Elements of a tile at most.
    pub(super) tile: usize,
}

impl Tiling {
    /// One that keeps tiles inside rows, or whole rows inside tiles, where all inputs have rows of one length.
    pub(super) fn of<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Self {
        let mut rows = patterns.filter_map(Pattern::row);
        match rows.next() {
            Some(row) if rows.all(|other| other == row) => {
                let tile = if row <= TILE / 2 { TILE / row * row } else { row.div_ceil(row.div_ceil(TILE)) };
                Self { unit: row, tile }
            }
            _ => Self { unit: 1, tile: TILE },
        }
    }

    /// The tiles of a part of the output from `start` on: position in the part, and length.
    pub(super) fn tiles(self, start: usize, length: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let position = start + at;
            let to_row_end = self.unit - position % self.unit;
            let most = if self.unit > self.tile { self.tile.min(to_row_end) } else { self.tile };
            let tile = (at, most.min(length - at));
            at += tile.1;
            (tile.1 > 0).then_some(tile)
        })
    }
}

/// Calls `body` with disjoint parts of `output` that cover it, and the position at which each starts: one on the
/// caller's thread where there are fewer than `2 * grain` elements, otherwise several on the intra-op threads, at least
/// `grain` long and beginning at multiples of `unit`.
pub(super) fn for_each_part(
    env: &dyn KernelEnv,
    output: ValuesMut<'_>,
    grain: usize,
    unit: usize,
    body: &(dyn Fn(usize, ValuesMut<'_>) + Sync),
) {
    let (threads, count) = (env.intra_op_threads(), output.len());
    // An element of a costly function may take a series of thousands of terms.
    let grains = if grain < GRAIN { 1 } else { POLLED_GRAINS };
    let most = (grain * grains).next_multiple_of(unit);
    if threads <= 1 || count < 2 * grain {
        return in_blocks(env, 0, output, most, body);
    }
    let length = count.div_ceil(threads * PARTS_A_THREAD).max(grain).next_multiple_of(unit);
    let mut parts = Vec::with_capacity(count.div_ceil(length));
    let mut rest = output;
    while rest.len() > length {
        let (part, after) = rest.split_at(length);
        parts.push(Mutex::new(Some(part)));
        rest = after;
    }
    parts.push(Mutex::new(Some(rest)));
    env.parallel_for(parts.len(), 1, &|range: Range<usize>| {
        for index in range {
            let part = parts[index].lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(part) = part {
                in_blocks(env, index * length, part, most, body);
            }
        }
    });
}

/// Calls `body` with blocks of at most `most` elements, and looks at the step between them.
#[inline]
fn in_blocks(
    env: &dyn KernelEnv,
    mut start: usize,
    mut rest: ValuesMut<'_>,
    most: usize,
    body: &(dyn Fn(usize, ValuesMut<'_>) + Sync),
) {
    while rest.len() > most {
        let (block, after) = rest.split_at(most);
        body(start, block);
        (start, rest) = (start + most, after);
        poll(env.step().map(Step::cancellation));
    }
    body(start, rest);
}
