//! `StatelessRandomGetKeyCounter`, `StatelessRandomGetAlg`, `StatelessRandomGetKeyCounterAlg`: what a seed means to the ops
//! of version 2.
//!
//! `seed` holds two integers, the outputs are a key of shape [1] and a counter of shape [2]. The algorithm is Philox,
//! number 1, on every device.

use oplink::prelude::*;

use super::generator::from_seed;

/// Philox's number among the algorithms.
const PHILOX: i32 = 1;

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

/// `StatelessRandomGetKeyCounter`.
#[kernel(StatelessRandomGetKeyCounter, device = CPU, Tseed = any, host_memory = [seed, key, counter])]
pub fn stateless_random_get_key_counter_cpu(seed: &Tensor) -> Result<(Tensor, Tensor)> {
    let start = from_seed(seed)?;
    let (low, high) = (start.counter() as u64, (start.counter() >> 64) as u64);
    Ok(([start.key()].into(), [low, high].into()))
}

/// `StatelessRandomGetKeyCounterAlg`.
#[kernel(StatelessRandomGetKeyCounterAlg, device = CPU, Tseed = any, host_memory = [seed, key, counter, alg])]
pub fn stateless_random_get_key_counter_alg_cpu(seed: &Tensor) -> Result<(Tensor, Tensor, i32)> {
    let (key, counter) = stateless_random_get_key_counter_cpu(seed)?;
    Ok((key, counter, PHILOX))
}

/// `StatelessRandomGetAlg`.
#[kernel(StatelessRandomGetAlg, device = CPU, host_memory = [alg])]
pub fn stateless_random_get_alg_cpu() -> i32 {
    PHILOX
}
