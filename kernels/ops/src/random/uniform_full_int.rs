//! `StatelessRandomUniformFullInt`, `StatelessRandomUniformFullIntV2`: integers of the whole range of their dtype.
//!
//! The output has the shape that the vector `shape` holds; its numbers are the drawn bits, TensorFlow's bit for bit.

use oplink::prelude::*;

/// Random integers of every value, a function of the shape and the seed.
#[op("StatelessRandomUniformFullInt", is(random),
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64} = DT_UINT64",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64, uint32, uint64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomUniformFullInt;

/// Random integers of every value, a function of the shape, the key and the counter.
#[op("StatelessRandomUniformFullIntV2", is(random),
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64} = DT_UINT64",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomUniformFullIntV2;
