//! The positions that random ops draw from: the generator that a node of a stateful op holds, and what a stateless op
//! makes of its inputs.

use std::sync::{Mutex, PoisonError};

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use crate::philox::Philox;

/// Numbers of the algorithm Philox and of the choice by the device, in the input `alg`.
const ALGORITHMS: [i64; 2] = [1, 3];

/// A position that runs move on, from several threads.
#[derive(Debug)]
pub struct Generator(Mutex<Philox>);

impl Generator {
    /// From the attrs `seed` and `seed2`; both 0 give a sequence of its own to each node.
    pub fn from_seeds(seed: i64, seed2: i64) -> Self {
        Self(Mutex::new(Philox::from_seeds(seed, seed2)))
    }

    /// The position, which moves on by so many blocks.
    pub fn reserve(&self, blocks: u64) -> Philox {
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = *generator;
        *generator = start.skipped(blocks);
        start
    }

    /// As [`Self::reserve`], of the blocks that TensorFlow sets aside for so many outputs.
    pub fn reserve_outputs(&self, outputs: usize) -> Philox {
        // bounded: numbers of a sequence, no memory
        self.reserve((outputs as u64).wrapping_mul(BLOCKS_PER_OUTPUT))
    }
}

/// Blocks that TensorFlow sets aside for each output of a stateful op.
pub const BLOCKS_PER_OUTPUT: u64 = 256;

/// The position that a seed of two numbers stands for.
///
/// # Errors
/// The seed is not two integers.
pub fn from_seed(seed: &Tensor) -> Result<Philox> {
    ensure!(seed.shape().dims() == [2], "seed must have shape [2], its shape is {}", seed.shape());
    let seed = int_values(seed)?;
    Ok(Philox::from_seed([seed[0], seed[1]]))
}

/// The inputs `key`, `counter` and `alg` of the stateless ops of version 2.
#[derive(Clone, Copy, Debug)]
pub struct KeyCounter<'a> {
    /// A key of shape [1].
    pub key: &'a Tensor,
    /// A vector of words, the lowest first.
    pub counter: &'a Tensor,
    /// The number of the algorithm.
    pub alg: &'a Tensor,
}

/// The position of a key and a counter, for so many outputs.
///
/// As in TensorFlow, an unknown algorithm is an error only where there are outputs to draw; until then its number is
/// how long the counter must be.
///
/// # Errors
/// The inputs have wrong shapes, or the algorithm is unknown.
pub fn from_key_and_counter(inputs: KeyCounter<'_>, outputs: usize) -> Result<Philox> {
    let KeyCounter { key, counter, alg: algorithm } = inputs;
    ensure!(algorithm.rank() == 0, "alg must be a scalar, its shape is {}", algorithm.shape());
    let algorithm = int_values(algorithm)?[0];
    ensure!(
        outputs == 0 || ALGORITHMS.contains(&algorithm),
        "alg must be 1 (Philox) or 3 (chosen by the device), it is {algorithm}; other algorithms are not supported"
    );
    ensure!(key.shape().dims() == [1], "key must have shape [1], its shape is {}", key.shape());
    let (key, words) = (key.as_slice::<u64>()?[0], counter.as_slice::<u64>()?);
    let least = if ALGORITHMS.contains(&algorithm) { 2 } else { algorithm };
    ensure!(
        counter.rank() == 1 && words.len() as i64 >= least,
        "counter must be a vector of at least {least} numbers, its shape is {}",
        counter.shape()
    );
    let word = |index| u128::from(words.get(index).copied().unwrap_or(0));
    Ok(Philox::new(key, word(0) | word(1) << 64))
}

/// The shape that the input `shape` holds.
///
/// # Errors
/// It holds none, or one with too many elements.
pub fn output_shape(input: &Tensor) -> Result<Shape> {
    let dims = int_values(input)?;
    ensure!(input.rank() == 1, "shape must be a vector, its shape is {}", input.shape());
    let shape = Shape::from_i64(&dims).map_err(|error| error.context("reading shape"))?;
    ensure!(shape.checked_num_elements().is_some(), "shape {shape} has too many elements");
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_follow_each_other() {
        let generator = Generator::from_seeds(3, 0);
        let first = generator.reserve_outputs(2);
        assert_eq!((first.key(), first.counter()), (3, 0));
        assert_eq!(generator.reserve(1), first.skipped(512));
    }

    #[test]
    fn without_seeds_sequences_differ() {
        let [a, b] = [(); 2].map(|()| Generator::from_seeds(0, 0).reserve(0));
        assert_ne!((a.key(), a.counter()), (b.key(), b.counter()));
    }
}
