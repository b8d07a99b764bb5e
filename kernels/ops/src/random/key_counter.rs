//! `StatelessRandomGetKeyCounter`, `StatelessRandomGetAlg`, `StatelessRandomGetKeyCounterAlg`: what a seed means to the
//! ops of version 2.
//!
//! `seed` holds two integers, the outputs are a key of shape [1] and a counter of shape [2]. The algorithm is Philox,
//! number 1, on every device.

use oplink::prelude::*;

/// The key and the counter that a seed stands for.
#[op("StatelessRandomGetKeyCounter",
     input = "seed: Tseed",
     output = "key: uint64",
     output = "counter: uint64",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::key_and_counter)]
pub struct StatelessRandomGetKeyCounter;

/// The key, the counter and the algorithm that a seed stands for.
#[op("StatelessRandomGetKeyCounterAlg",
     input = "seed: Tseed",
     output = "key: uint64",
     output = "counter: uint64",
     output = "alg: int32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::key_and_counter)]
pub struct StatelessRandomGetKeyCounterAlg;

/// The number of the algorithm that the device prefers.
#[op("StatelessRandomGetAlg", output = "alg: int32", stateful, shape = shape_fns::scalar)]
pub struct StatelessRandomGetAlg;
