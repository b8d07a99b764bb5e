//! Ops that draw random numbers, for any [`RandomBackend`]: a kernel of a device calls the function of its op with the
//! backend of that device. Shapes, seeds, keys, counters and bounds are read in host memory.

mod backend;
mod generator;
mod integers;
mod shuffle;

use oplink::prelude::*;

use crate::philox::Philox;

pub use backend::{Bits, Integers, Normal, RandomBackend, Truncated, Uniform};
pub use generator::{BLOCKS_PER_OUTPUT, Generator, KeyCounter, from_key_and_counter, from_seed, output_shape};
pub use integers::{draw_integers, integers_between};
pub use shuffle::{shuffle, shuffle_from};

/// Sets the output, a tensor of this shape, to the numbers from `start` on.
///
/// # Errors
/// Memory runs out, or `B` fails.
pub fn write<B: RandomBackend<D>, D>(
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
    shape: Shape,
    (start, distribution): (Philox, &D),
) -> Result<()> {
    let out = output.allocate(shape)?;
    if out.num_elements() > 0 { B::fill(env, out, start, distribution) } else { Ok(()) }
}

/// An op whose input is a shape, from the sequence of the node.
///
/// # Errors
/// The shape is none, memory runs out, or `B` fails.
pub fn draw_from_node<B: RandomBackend<D>, D: Default>(
    shape: &Tensor,
    generator: &Generator,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = output_shape(shape)?;
    let start = generator.reserve_outputs(shape.num_elements());
    write::<B, D>(output, env, shape, (start, &D::default()))
}

/// A stateless op whose inputs are a shape and a seed.
///
/// # Errors
/// The inputs have wrong shapes, memory runs out, or `B` fails.
pub fn draw_from_seed<B: RandomBackend<D>, D: Default>(
    shape: &Tensor,
    seed: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (shape, start) = (output_shape(shape)?, from_seed(seed)?);
    write::<B, D>(&mut output, env, shape, (start, &D::default()))
}

/// A stateless op whose inputs are a shape, a key, a counter and an algorithm.
///
/// # Errors
/// The inputs have wrong shapes, the algorithm is unknown, memory runs out, or `B` fails.
pub fn draw_from_key<B: RandomBackend<D>, D: Default>(
    shape: &Tensor,
    key_counter: KeyCounter<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = output_shape(shape)?;
    let start = from_key_and_counter(key_counter, shape.num_elements())?;
    write::<B, D>(&mut output, env, shape, (start, &D::default()))
}
