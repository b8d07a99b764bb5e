//! The walk of a binary loop over a part of the output: row by row of the innermost joined dimension, or, where rows
//! are short, block by block with the repeated side written out.

use super::operand::store;
use super::{BLOCK, Broadcast, Computed, Pair, PairLoop};

/// Rows shorter than this are not worth a call of the loop each.
const SHORT_ROW: usize = 64;

/// Where one side's elements are.
#[derive(Clone, Copy)]
pub(super) enum Side<'a, T> {
    /// In a slice of their own.
    Elements(&'a [T]),
    /// In the output's memory, at the output's positions.
    Output,
}

/// A binary loop with its operands; run on parts of the output in any order.
pub(super) struct Walk<'a, T: Computed, U: Computed> {
    pub(super) broadcast: &'a Broadcast,
    pub(super) sides: [Side<'a, T>; 2],
    /// Reads operands that stand in the output; called only for `Side::Output`.
    pub(super) read_output: fn(&[U], &mut [T::ComputeType]),
    pub(super) loops: &'a PairLoop<'a, T::ComputeType, U::ComputeType>,
}

impl<T: Computed, U: Computed> Walk<'_, T, U> {
    /// Computes the output's elements from position `start` on.
    pub(super) fn run(&self, start: usize, part: &mut [U]) {
        let width = self.broadcast.inner().extent;
        if part.is_empty() {
        } else if width < SHORT_ROW && width < self.broadcast.shape.num_elements() {
            self.run_blocks(start, part);
        } else {
            self.run_rows(start, part);
        }
    }

    fn run_rows(&self, start: usize, mut part: &mut [U]) {
        let dim = self.broadcast.inner();
        let mut rows = self.broadcast.rows(start / dim.extent);
        let mut column = start % dim.extent;
        let mut blocks = [[T::ComputeType::default(); BLOCK]; 2];
        while !part.is_empty() {
            let (row, rest) = part.split_at_mut(part.len().min(dim.extent - column));
            self.row([0, 1].map(|i| rows.offsets[i] + column * dim.strides[i]), row, &mut blocks);
            part = rest;
            column = 0;
            rows.advance();
        }
    }

    /// Computes one row, whose operands start at `offsets`, through `blocks` where they are not in memory of their own
    /// in the compute type.
    fn row(&self, offsets: [usize; 2], output: &mut [U], blocks: &mut [[T::ComputeType; BLOCK]; 2]) {
        let length = output.len();
        let direct = |i: usize| match self.sides[i] {
            Side::Elements(elements) => T::computed(&elements[offsets[i]..offsets[i] + self.span(i, length)]),
            Side::Output => None,
        };
        if let (Some(x), Some(y)) = (direct(0), direct(1)) {
            return store(output, &mut |start, computed| {
                (self.loops)(self.pair([x, y], start, computed.len()), computed);
            });
        }
        for (index, output) in output.chunks_mut(BLOCK).enumerate() {
            for (i, block) in blocks.iter_mut().enumerate() {
                let start = offsets[i] + self.span(i, index * BLOCK + 1) - 1;
                self.widen(i, start, self.span(i, output.len()), output, block);
            }
            let [x, y] = &*blocks;
            store(output, &mut |start, computed| (self.loops)(self.pair([x, y], start, computed.len()), computed));
        }
    }

    /// Elements of side `i` under `length` elements of a row.
    fn span(&self, i: usize, length: usize) -> usize {
        if self.broadcast.inner().strides[i] == 0 { 1 } else { length }
    }

    /// The operands of `length` elements from `start` on, in the compute type, that follow the innermost strides.
    fn pair<'b>(&self, [x, y]: [&'b [T::ComputeType]; 2], start: usize, length: usize) -> Pair<'b, T::ComputeType> {
        match self.broadcast.inner().strides {
            [0, _] => Pair::Left(x[0], &y[start..start + length]),
            [_, 0] => Pair::Right(&x[start..start + length], y[0]),
            _ => Pair::Both(&x[start..start + length], &y[start..start + length]),
        }
    }

    /// Reads `count` values of side `i` from position `start`, or those under `output`, into `block`.
    fn widen(&self, i: usize, start: usize, count: usize, output: &[U], block: &mut [T::ComputeType]) {
        match self.sides[i] {
            Side::Elements(elements) => T::widen(&elements[start..start + count], &mut block[..count]),
            Side::Output => (self.read_output)(output, &mut block[..output.len()]),
        }
    }

    fn run_blocks(&self, start: usize, mut part: &mut [U]) {
        let width = self.broadcast.inner().extent;
        let block_length = BLOCK / width * width;
        let mut blocks = [[T::ComputeType::default(); BLOCK]; 2];
        let mut written_out = [false; 2];
        let mut position = start;
        while !part.is_empty() {
            let phase = position % width;
            let (output, rest) = part.split_at_mut(part.len().min(block_length - phase));
            let range = phase..phase + output.len();
            for (i, block) in blocks.iter_mut().enumerate() {
                if self.is_whole(i) {
                    self.widen(i, position, output.len(), output, &mut block[range.clone()]);
                } else if !(written_out[i] && self.broadcast.repeats_one_row(i)) {
                    self.write_out(i, position / width, &mut block[..block_length]);
                    written_out[i] = true;
                }
            }
            let [x, y] = [0, 1].map(|i| &blocks[i][range.clone()]);
            store(output, &mut |start, computed| {
                let range = start..start + computed.len();
                (self.loops)(Pair::Both(&x[range.clone()], &y[range]), computed);
            });
            position += output.len();
            part = rest;
        }
    }

    /// Whether side `i` has an element for each one of the output.
    fn is_whole(&self, i: usize) -> bool {
        match self.sides[i] {
            Side::Elements(elements) => elements.len() == self.broadcast.shape.num_elements(),
            Side::Output => true,
        }
    }

    /// Writes whole rows of side `i` from number `first` on to `block`, repeated as the broadcast has them.
    fn write_out(&self, i: usize, first: usize, block: &mut [T::ComputeType]) {
        let Side::Elements(elements) = self.sides[i] else { return };
        let dim = self.broadcast.inner();
        let mut rows = self.broadcast.rows(first);
        for row in block.chunks_exact_mut(dim.extent) {
            let source = &elements[rows.offsets[i]..];
            match dim.strides[i] {
                0 => row.fill(source[0].to_computed()),
                _ => row.iter_mut().zip(source).for_each(|(value, &element)| *value = element.to_computed()),
            }
            rows.advance();
        }
    }
}
