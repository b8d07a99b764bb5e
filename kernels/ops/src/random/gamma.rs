//! `RandomGamma`: numbers of gamma distributions with scale 1.
//!
//! The output has the shape `shape + alpha.shape`: for each element of `alpha`, the distribution's shape parameter, as
//! many numbers as `shape` says. The method is that of Marsaglia and Tsang, "A simple method for generating gamma
//! variables" (2000): normal numbers are transformed and some rejected; for `alpha < 1` a number for `alpha + 1` is
//! multiplied by the power `1 / alpha` of a uniform one, and for `alpha = 1` the exponential distribution is inverted.
//! Computed in double precision for every dtype; TensorFlow's numbers, up to the last places of the mathematical
//! functions.

use oplink::prelude::*;

/// Random numbers of gamma distributions, from the sequence of the node.
#[op("RandomGamma", is(random),
     input = "shape: S",
     input = "alpha: T",
     output = "output: T",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "S: {int32, int64}",
     attr = "T: {half, float, double}",
     stateful,
     shape = shape_fns::random_gamma)]
pub struct RandomGamma;
