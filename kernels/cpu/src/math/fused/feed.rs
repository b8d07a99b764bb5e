//! How the inputs of a fused chain meet its output, and how a tile of each is brought into a buffer.

use oplink::prelude::*;

use crate::support::elementwise::Lanes;

/// Elements of a tile: few enough that all buffers of a chain stay in cache.
pub(super) const TILE: usize = 1024;

/// How an input covers the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// An element for each of the output.
    Whole,
    /// So many elements, over and over: the input has the output's last axes (or is one element).
    Period(usize),
    /// Each element so many times: the input has the output's first axes, the others are 1.
    Each(usize),
}

impl Pattern {
    /// That of an input of this shape; `None` for another way of broadcasting.
    pub(super) fn of(input: &Shape, output: &Shape) -> Option<Self> {
        if input == output {
            return Some(Self::Whole);
        }
        let extent = |axis: usize| (axis + input.rank()).checked_sub(output.rank()).map_or(1, |axis| input[axis]);
        let differs = |axis: &usize| extent(*axis) != output[*axis];
        let (first, last) = ((0..output.rank()).find(differs), (0..output.rank()).rev().find(differs));
        let (Some(first), Some(last)) = (first, last) else { return Some(Self::Whole) };
        if (0..=last).all(|axis| extent(axis) == 1) {
            return Some(Self::Period(input.num_elements()));
        }
        let is_each = (first..output.rank()).all(|axis| extent(axis) == 1);
        is_each.then(|| Self::Each(output[first..].iter().product()))
    }

    /// Elements after which the pattern is back where it began, where that is not at every element.
    fn row(self) -> Option<usize> {
        match self {
            Self::Period(row) | Self::Each(row) if row > 1 => Some(row),
            _ => None,
        }
    }
}

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
    pub(super) fn of(patterns: &[Pattern]) -> Self {
        let mut rows = patterns.iter().filter_map(|pattern| pattern.row());
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

/// An input with its pattern.
#[derive(Clone, Copy)]
pub(super) struct Feed<'a, T> {
    /// The elements; those in the output's memory, where `None`.
    pub(super) values: Option<&'a [T]>,
    pub(super) pattern: Pattern,
}

impl<'a, T: Lanes> Feed<'a, T> {
    /// The lanes for `length` elements of the output from `start` on, where they are side by side in memory.
    pub(super) fn direct(&self, start: usize, length: usize) -> Option<&'a [T::Lane]> {
        let lanes = T::lanes(self.values?)?;
        match self.pattern {
            Pattern::Whole => lanes.get(start..start + length),
            Pattern::Period(period) => lanes.get(start % period.max(1)..)?.get(..length),
            Pattern::Each(_) => None,
        }
    }

    /// Whether every tile that begins at a multiple of the period has the same lanes.
    pub(super) fn is_constant(&self, tiling: Tiling) -> bool {
        match self.pattern {
            Pattern::Period(1) => true,
            Pattern::Period(period) => tiling.unit == period && period <= tiling.tile,
            _ => false,
        }
    }

    /// Writes the lanes for the elements of the output from `start` on to `buffer`. `output` is the memory under them.
    pub(super) fn fill(&self, start: usize, output: &[T], buffer: &mut [T::Lane]) {
        let Some(values) = self.values else { return T::widen(output, buffer) };
        match self.pattern {
            Pattern::Whole => T::widen(&values[start..start + buffer.len()], buffer),
            Pattern::Period(1) => buffer.fill(values[0].to_lane()),
            Pattern::Period(period) => {
                let mut at = start % period;
                let mut rest = buffer;
                while !rest.is_empty() {
                    let (part, tail) = rest.split_at_mut(rest.len().min(period - at));
                    T::widen(&values[at..at + part.len()], part);
                    (rest, at) = (tail, 0);
                }
            }
            Pattern::Each(times) => {
                let (mut row, mut done) = (start / times, start % times);
                let mut rest = buffer;
                while !rest.is_empty() {
                    let (part, tail) = rest.split_at_mut(rest.len().min(times - done));
                    part.fill(values[row].to_lane());
                    (rest, row, done) = (tail, row + 1, 0);
                }
            }
        }
    }
}
