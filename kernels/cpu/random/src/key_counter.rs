//! `StatelessRandomGetKeyCounter`, `StatelessRandomGetAlg`, `StatelessRandomGetKeyCounterAlg`: what a seed means to the
//! ops of version 2.
//!
//! `seed` holds two integers, the outputs are a key of shape [1] and a counter of shape [2]. The algorithm is Philox,
//! number 1, on every device.

use oplink::prelude::*;
use oplink_ops::random::draws::from_seed;
use oplink_ops::random::{StatelessRandomGetAlg, StatelessRandomGetKeyCounter, StatelessRandomGetKeyCounterAlg};

/// Philox's number among the algorithms.
const PHILOX: i32 = 1;

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
