//! `RandomUniform`, `StatelessRandomUniform`, `StatelessRandomUniformV2`: numbers in `[0, 1)`.
//!
//! The output has the shape that the vector `shape` holds. A number's significand is drawn, with the exponent of 1, and
//! 1 is subtracted; the numbers are TensorFlow's, bit for bit.

use oplink::prelude::*;

/// Random numbers in `[0, 1)`, from the sequence of the node.
#[op("RandomUniform", is(random),
     no_gradient,
     input = "shape: T",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random)]
pub struct RandomUniform;

/// Random numbers in `[0, 1)`, a function of the shape and the seed.
#[op("StatelessRandomUniform", is(random),
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomUniform;

/// Random numbers in `[0, 1)`, a function of the shape, the key and the counter.
#[op("StatelessRandomUniformV2", is(random),
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomUniformV2;
