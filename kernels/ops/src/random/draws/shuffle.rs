//! Rows in random order.

use oplink::memory::try_collect;
use oplink::prelude::*;

use super::Generator;
use crate::movement::{Axis, CopyBackend};
use crate::philox::{Philox, Singles};

/// Sets the output to the rows of `value` in random order, from the sequence of the node.
///
/// # Errors
/// As [`CopyBackend::copy_axes`].
pub fn shuffle<B: CopyBackend>(
    value: Input<'_>,
    generator: &Generator,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    // bounded: numbers of a sequence, no memory
    shuffle_from::<B>(value, |numbers| generator.reserve(numbers.div_ceil(Philox::BLOCK as u64)), output, env)
}

/// As [`shuffle`], from the position that `reserve` gives for so many numbers. It is not asked where nothing is drawn.
///
/// # Errors
/// As [`CopyBackend::copy_axes`].
pub fn shuffle_from<B: CopyBackend>(
    value: Input<'_>,
    reserve: impl FnOnce(u64) -> Philox,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let rows = value.shape().first().copied().unwrap_or(1);
    if rows <= 1 || value.num_elements() <= 1 {
        output.set(value.take());
        return Ok(());
    }
    let start = reserve(rows as u64 - 1);
    let width = value.num_elements() / rows;
    let order = permutation(rows, start, &env)?;
    let order = try_collect(env.watch(order).map(|row| (row * width) as isize))?;
    let axes = [Axis::Table(&order), Axis::Strided { count: width, stride: 1 }];
    B::copy_axes(env, output.allocate(value.shape().clone())?, &value, 0, &axes)
}

/// The rows in the order in which they are written.
fn permutation(rows: usize, start: Philox, env: &Env<'_>) -> Result<Vec<usize>> {
    let mut order = try_collect(env.watch(0..rows))?;
    let mut numbers = Singles::new(start);
    for position in env.watch(0..rows - 1) {
        let rest = (rows - position) as u32;
        order.swap(position, position + (numbers.draw() % rest) as usize);
    }
    Ok(order)
}
