//! `TruncatedNormal`, `StatelessTruncatedNormal`, `StatelessTruncatedNormalV2`: numbers of the standard normal
//! distribution within 2 of the mean.
//!
//! The output has the shape that the vector `shape` holds. Normal numbers that lie outside are dropped and others drawn
//! in their place; each group of numbers has bits enough of its own, so that groups do not depend on each other.
//! TensorFlow's numbers, up to the last place of the mathematical functions.

use oplink::prelude::*;

/// Random numbers of the standard normal distribution within 2 of the mean, from the sequence of the node.
#[op("TruncatedNormal", is(random),
     no_gradient,
     input = "shape: T",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random)]
pub struct TruncatedNormal;

/// Random numbers of the standard normal distribution within 2 of the mean, a function of the shape and the seed.
#[op("StatelessTruncatedNormal", is(random),
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessTruncatedNormal;

/// Random numbers of the standard normal distribution within 2 of the mean, a function of the shape, the key and the
/// counter.
#[op("StatelessTruncatedNormalV2", is(random),
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessTruncatedNormalV2;
