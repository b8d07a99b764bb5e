//! `StochasticCastToInt`: floats rounded to one of the two integers beside them, the nearer one more often.
//!
//! A number between two integers becomes the one further from 0 with a probability of its fraction. What is beyond the
//! dtype becomes its least or largest number, NaN becomes 0. As in TensorFlow, the limits are rounded to `Tin` first:
//! where its largest number is one more than that of `Tout`, what is beyond becomes the least number of `Tout`.
//!
//! The draws are those of TensorFlow on x86-64 for the same key and counter, which are used the other way round: the
//! counter's first number is the key, and the key the high half of the counter. Each number that needs a draw takes a
//! block of the sequence. Int32 of floats and doubles is made in groups of eight, the rest as above: eight floats, or
//! four doubles, share a block, over and over again, whether they need it or not.

use oplink::prelude::*;

use super::shapes;

/// Rounds at random, by a key, a counter and an algorithm.
#[op("StochasticCastToInt", is(random),
     input = "input: Tin",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: Tout",
     attr = "Tin: {half, bfloat16, float, double}",
     attr = "Tout: {int8, int16, int32}",
     shape = shapes::stateless_unchanged)]
pub struct StochasticCastToInt;
