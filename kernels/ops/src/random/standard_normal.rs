//! `RandomStandardNormal`, `StatelessRandomNormal`, `StatelessRandomNormalV2`: numbers of the normal distribution with
//! mean 0 and standard deviation 1.
//!
//! The output has the shape that the vector `shape` holds. Pairs of uniform numbers go through the transform of Box and
//! Muller; the 16-bit floats are rounded from single precision. TensorFlow's numbers, up to the last place of the
//! mathematical functions.

use oplink::prelude::*;

/// Random numbers of the standard normal distribution, from the sequence of the node.
#[op("RandomStandardNormal", is(random),
     no_gradient,
     input = "shape: T",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random)]
pub struct RandomStandardNormal;

/// Random numbers of the standard normal distribution, a function of the shape and the seed.
#[op("StatelessRandomNormal", is(random),
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomNormal;

/// Random numbers of the standard normal distribution, a function of the shape, the key and the counter.
#[op("StatelessRandomNormalV2", is(random),
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomNormalV2;
