//! `RandomUniformInt`, `StatelessRandomUniformInt`, `StatelessRandomUniformIntV2`: integers in `[minval, maxval)`.
//!
//! The output has the shape that the vector `shape` holds; `minval` and `maxval` are scalars, and `minval` must be less
//! where there is a number to draw. A number is `minval` plus the remainder of the drawn bits by the extent of the
//! range, TensorFlow's bit for bit; where the extent is no power of two, small remainders are slightly more likely.

use oplink::prelude::*;

/// Random integers in `[minval, maxval)`, from the sequence of the node.
#[op("RandomUniformInt", is(random),
     no_gradient,
     input = "shape: T",
     input = "minval: Tout",
     input = "maxval: Tout",
     output = "output: Tout",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "Tout: {int32, int64}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random_uniform_int)]
pub struct RandomUniformInt;

/// Random integers in `[minval, maxval)`, a function of the shape and the seed.
#[op("StatelessRandomUniformInt", is(random),
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     input = "minval: dtype",
     input = "maxval: dtype",
     output = "output: dtype",
     attr = "dtype: {int32, int64}",
     attr = "T: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random_uniform_int)]
pub struct StatelessRandomUniformInt;

/// Random integers in `[minval, maxval)`, a function of the shape, the key and the counter.
#[op("StatelessRandomUniformIntV2", is(random),
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     input = "minval: dtype",
     input = "maxval: dtype",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64}",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_uniform_int_v2)]
pub struct StatelessRandomUniformIntV2;
