//! What a seed means to the ops of version 2, all of which is in host memory.

use oplink::prelude::*;
use oplink_ops::random::*;

/// Keys and counters.
#[derive(Debug)]
pub struct KeysOnHost;

#[kernel(StatelessRandomGetKeyCounter, device = GPU, Tseed = any, host_memory = [seed, key, counter])]
#[kernel(StatelessRandomGetKeyCounterAlg, device = GPU, Tseed = any, host_memory = [seed, key, counter, alg])]
#[kernel(StatelessRandomGetAlg, device = GPU, host_memory = [alg])]
impl HostFallback for KeysOnHost {}
