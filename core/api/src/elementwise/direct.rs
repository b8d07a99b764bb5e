//! A single formula of inputs that have the output's shape or one element, computed with as they are: the common call,
//! whose cost for few elements is that of its bookkeeping.

use super::block::{Block, MOST_OPERANDS, Operands};
use super::scratch::Scratch;
use super::tiles::for_each_part;
use super::{ElementwiseFn, InputShapes};
use crate::device::ScalarValue;
use crate::tensor::values::{Values, ValuesMut};
use crate::{KernelContext, Result, Shape};

/// Elements of a tile with operands in buffers: 2 KiB of single precision, which is copied without the setup of long
/// copies.
const COPIED: usize = 512;

/// Where the elements of an operand are.
#[derive(Debug, Clone, Copy)]
enum Source<'a> {
    /// In memory of their own, one for each of the output.
    Each(Values<'a>),
    /// In memory of their own, one for all of the output.
    One(Values<'a>),
    /// In the output's memory.
    Output,
}

/// A formula with its operands.
struct Direct<'a> {
    function: &'static ElementwiseFn,
    attrs: &'a [ScalarValue],
    sources: &'a [Source<'a>],
}

/// Sets output 0 to the formula of the elements of its inputs, where they have one shape or one element each and
/// nothing is converted; otherwise returns false and leaves the context as it is.
///
/// # Errors
/// Memory runs out.
#[inline]
pub(super) fn run_direct(
    function: &'static ElementwiseFn,
    context: &mut KernelContext<'_>,
    positions: &[usize],
    attrs: &[ScalarValue],
) -> Result<bool> {
    let Some(shape) = common_shape(function, context, positions) else { return Ok(false) };
    let (taken, mut output) = context.forward_or_allocate(positions, 0, &shape)?;
    let count = shape.num_elements();
    if count > 0 {
        let mut sources = [Source::Output; MOST_OPERANDS];
        for (source, &position) in sources.iter_mut().zip(positions).filter(|(_, position)| taken != Some(**position)) {
            let input = context.input(position);
            let values = Values::of(input)?;
            *source = if input.num_elements() == count { Source::Each(values) } else { Source::One(values) };
        }
        let direct = Direct { function, attrs, sources: &sources[..positions.len()] };
        let values = ValuesMut::of(&mut output)?;
        for_each_part(context.env(), values, function.grain(), 1, &|start, part| direct.run(start, part));
    }
    context.set_output(0, output);
    Ok(true)
}

/// The shape that all inputs have but those of one element; `None` where there are others, or 16-bit floats.
#[inline]
fn common_shape(function: &ElementwiseFn, context: &KernelContext<'_>, positions: &[usize]) -> Option<Shape> {
    if positions.len() > MOST_OPERANDS || context.node().output_dtypes.first() != Some(&function.result) {
        return None;
    }
    let mut inputs = positions.iter().map(|&position| context.input(position));
    let shape = inputs.find(|input| input.rank() > 0)?.shape();
    for (&position, &dtype) in positions.iter().zip(function.operands) {
        let input = context.input(position);
        if input.dtype() != dtype {
            return None;
        }
        let other = input.shape();
        let is_one =
            || function.shapes == InputShapes::Broadcast && other.rank() <= shape.rank() && other.num_elements() == 1;
        if !std::ptr::eq(other, shape) && other != shape && !is_one() {
            return None;
        }
    }
    Some(shape.clone())
}

impl Direct<'_> {
    /// Computes the output's elements from `start` on: in one loop where the formula has one for these operands,
    /// otherwise in tiles, whose other operands are copied to buffers.
    fn run(&self, start: usize, mut output: ValuesMut<'_>) {
        let count = output.len();
        let mut operands = Operands::new();
        for source in self.sources {
            operands.push(match source {
                Source::Each(values) => values.part(start..start + count),
                Source::One(values) => *values,
                Source::Output => output.none(),
            });
        }
        let block = Block { operands: operands.as_slice(), attrs: self.attrs, output: output.part(0..count) };
        if !(self.function.run)(block) {
            self.run_tiles(start, output);
        }
    }

    /// As `run`, in tiles.
    #[inline(never)]
    fn run_tiles(&self, start: usize, mut output: ValuesMut<'_>) {
        let count = output.len();
        let tile = COPIED.min(count);
        let mut buffers = [const { Scratch::none() }; MOST_OPERANDS];
        for (buffer, source) in buffers.iter_mut().zip(self.sources) {
            match source {
                Source::Each(_) => {}
                Source::One(values) => {
                    *buffer = Scratch::new(values.dtype());
                    buffer.first_mut(tile).fill_from(values, 0);
                }
                Source::Output => *buffer = Scratch::new(output.as_values().dtype()),
            }
        }
        for at in (0..count).step_by(tile) {
            let length = tile.min(count - at);
            let part = output.part(at..at + length);
            let mut operands = Operands::new();
            for (buffer, source) in buffers.iter_mut().zip(self.sources) {
                operands.push(match source {
                    Source::Each(values) => values.part(start + at..start + at + length),
                    Source::One(_) => buffer.first(length),
                    Source::Output => {
                        buffer.first_mut(length).copy_from(&part.as_values());
                        buffer.first(length)
                    }
                });
            }
            self.function.write(Block { operands: operands.as_slice(), attrs: self.attrs, output: part });
        }
    }
}
