//! The position in a variable that stateful random ops draw from and move on.

use oplink::prelude::*;
use oplink::resource::{Variable, VariableGuard};
use oplink::shape_inference::int_values;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::BLOCKS_PER_OUTPUT;

/// Numbers of the algorithms Philox, ThreeFry, and of the choice by the device.
const PHILOX: i64 = 1;
const THREE_FRY: i64 = 2;
const CHOSEN_BY_DEVICE: i64 = 3;
/// Words of a counter and a key.
pub(super) const WORDS: usize = 3;

/// Where the number of the algorithm stands.
#[derive(Clone, Copy)]
pub(super) enum Algorithm<'a> {
    /// In a scalar input.
    Input(&'a Tensor),
    /// In the first element of the variable, before the counter.
    Variable,
}

/// The position in the variable behind `resource`, which moves on by the blocks of so many outputs.
///
/// # Errors
/// The algorithm is unknown, there is no variable, or it is no vector of enough words.
pub(super) fn reserve(resource: &Input<'_>, algorithm: Algorithm<'_>, outputs: u64, env: &Env<'_>) -> Result<Philox> {
    // bounded: numbers of a sequence, no memory
    let blocks = outputs.wrapping_mul(BLOCKS_PER_OUTPUT);
    let variable = resource.resource::<Variable>()?;
    let mut guard = variable.lock();
    check_vector(&guard)?;
    let (number, first) = match algorithm {
        Algorithm::Input(number) => (scalar(number)?, 0),
        Algorithm::Variable => match guard.value()?.as_slice::<i64>()?.first() {
            Some(&number) => (number, 1),
            None => bail!("the variable must hold the number of the algorithm first, it is empty"),
        },
    };
    check_algorithm(number)?;
    advance(&mut guard, first, blocks, env)
}

/// Moves the position in a locked vector of int64 on by so many blocks, and gives the old one. The position's words
/// are those from `first` on.
pub(super) fn advance(guard: &mut VariableGuard<'_>, first: usize, blocks: u64, env: &Env<'_>) -> Result<Philox> {
    let length = guard.value()?.num_elements();
    ensure!(length >= first + WORDS, "the variable must hold at least {} words, it has {length}", first + WORDS);
    let words = &mut guard.value_mut(env)?.as_mut_slice::<i64>()?[first..first + WORDS];
    let counter = u128::from(words[0] as u64) | u128::from(words[1] as u64) << 64;
    let next = skipped(counter, blocks);
    (words[0], words[1]) = (next as i64, (next >> 64) as i64);
    Ok(Philox::new(words[2] as u64, counter))
}

/// The counter so many blocks later. As TensorFlow counts, a carry from the lowest 32 bits is lost where the upper 32
/// bits of `blocks` are all set: so `RngSkip` goes back by a negative distance.
fn skipped(counter: u128, blocks: u64) -> u128 {
    let carries = (counter as u32).checked_add(blocks as u32).is_none();
    let lost = if carries && (blocks >> 32) as u32 == u32::MAX { 1 << 64 } else { 0 };
    counter.wrapping_add(blocks.into()).wrapping_sub(lost)
}

/// A variable must hold a vector of int64.
pub(super) fn check_vector(guard: &VariableGuard<'_>) -> Result<()> {
    let value = guard.value()?;
    ensure!(value.dtype() == DType::Int64, "the variable must be of int64, it is of {}", value.dtype());
    ensure!(value.rank() == 1, "the variable must be a vector, its shape is {}", value.shape());
    Ok(())
}

/// The number in a scalar of integers.
pub(super) fn scalar(number: &Tensor) -> Result<i64> {
    ensure!(number.rank() == 0, "the number of the algorithm must be a scalar, its shape is {}", number.shape());
    Ok(int_values(number)?[0])
}

fn check_algorithm(number: i64) -> Result<()> {
    match number {
        PHILOX | CHOSEN_BY_DEVICE => Ok(()),
        THREE_FRY => Err(Error::unimplemented("algorithm is 2 (ThreeFry), which has no kernel; use 1 (Philox)")),
        _ => bail!("algorithm must be 1 (Philox) or 3 (chosen by the device), it is {number}"),
    }
}

/// Only Philox itself, by its own number.
pub(super) fn check_philox(number: i64) -> Result<()> {
    ensure!(number == PHILOX, "algorithm must be 1 (Philox), it is {number}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_those_of_tensorflow() {
        let back = 5u64.wrapping_neg().wrapping_mul(BLOCKS_PER_OUTPUT);
        assert_eq!(skipped((2 << 64) + 4353, back), (2 << 64) + 3073);
        assert_eq!(skipped((2 << 64) + 4353, 1280), (2 << 64) + 5633);
        assert_eq!(skipped(u128::from(u64::MAX), 1), 1 << 64);
    }
}
