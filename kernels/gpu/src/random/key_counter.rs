//! What a seed means to the ops of version 2: the CPU's kernels, as all of it is in host memory.

use oplink::prelude::*;
use oplink_cpu_random::*;
use oplink_ops::random::*;

use crate::host_fallback::{host, kernels};

kernels! {
    #[kernel(StatelessRandomGetKeyCounter, device = GPU, Tseed = any, host_memory = [seed, key, counter])]
    stateless_random_get_key_counter_gpu = host::<stateless_random_get_key_counter_cpu>;
    #[kernel(StatelessRandomGetKeyCounterAlg, device = GPU, Tseed = any, host_memory = [seed, key, counter, alg])]
    stateless_random_get_key_counter_alg_gpu = host::<stateless_random_get_key_counter_alg_cpu>;
    #[kernel(StatelessRandomGetAlg, device = GPU, host_memory = [alg])]
    stateless_random_get_alg_gpu = host::<stateless_random_get_alg_cpu>;
}
