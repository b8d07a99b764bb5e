//! `RandomShuffle`: the rows of a tensor in random order.
//!
//! Rows lie along the first axis; scalars and tensors of one row stay as they are. Every dtype. Each position in turn
//! is exchanged with a later one or itself, chosen by the remainder of one drawn number: TensorFlow's order for the
//! same seeds.

use oplink::prelude::*;

/// Shuffles a tensor along its first axis.
#[op("RandomShuffle", is(moves, random),
     input = "value: T",
     output = "output: T",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: type",
     stateful,
     shape = shape_fns::unchanged)]
pub struct RandomShuffle;
