//! `RandomShuffle`, `StatelessShuffle`: the rows of a tensor in random order. `RandomIndexShuffle`: one position of an
//! order, without the others.
//!
//! Rows lie along the first axis; scalars and tensors of one row stay as they are. Every dtype. Each position in turn
//! is exchanged with a later one or itself, chosen by the remainder of one drawn number: TensorFlow's order for the
//! same seeds.

use oplink::prelude::*;

use super::shapes;

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

/// Shuffles a tensor along its first axis, in an order that follows from the key and the counter.
#[op("StatelessShuffle", is(moves, random),
     input = "value: T",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: T",
     attr = "T: type",
     shape = shapes::stateless_unchanged)]
pub struct StatelessShuffle;

/// Where an index from 0 to `max_index` comes in the order of these that a seed of three numbers stands for.
///
/// `index` and `max_index` are scalars or vectors, `seed` is [3] or [n, 3]; vectors have one length, that of the
/// output. The order is the cycle-walking permutation of Simon, a block cipher with an even number of `rounds`, 4 at
/// least, on the smallest even number of bits from 16 on that holds `max_index` (Beaulieu et al., "The Simon and Speck
/// families of lightweight block ciphers", 2013; Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
#[op("RandomIndexShuffle",
     no_gradient,
     input = "index: dtype",
     input = "seed: Tseed",
     input = "max_index: dtype",
     output = "output: dtype",
     attr = "rounds: int = 4",
     attr = "dtype: {int32, uint32, int64, uint64}",
     attr = "Tseed: {int32, uint32, int64, uint64}",
     shape = shapes::random_index_shuffle)]
pub struct RandomIndexShuffle;
