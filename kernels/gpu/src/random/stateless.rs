//! The stateless ops: shapes, seeds, keys, counters and bounds are in host memory, where they are made.

use oplink::prelude::*;
use oplink_cpu_random::filling::{Bits, Normal, Truncated, Uniform, set_from_key, set_from_seed};
use oplink_cpu_random::*;
use oplink_ops::random::*;

use crate::host_fallback::kernels;
use crate::movement::Device;

kernels! {
    #[kernel(StatelessRandomUniform, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
    stateless_random_uniform_gpu = set_from_seed::<Device, Uniform>;
    #[kernel(StatelessRandomUniformV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
    stateless_random_uniform_v2_gpu = set_from_key::<Device, Uniform>;
    #[kernel(StatelessRandomNormal, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
    stateless_random_normal_gpu = set_from_seed::<Device, Normal>;
    #[kernel(StatelessRandomNormalV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
    stateless_random_normal_v2_gpu = set_from_key::<Device, Normal>;
    #[kernel(StatelessTruncatedNormal, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
    stateless_truncated_normal_gpu = set_from_seed::<Device, Truncated>;
    #[kernel(StatelessTruncatedNormalV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
    stateless_truncated_normal_v2_gpu = set_from_key::<Device, Truncated>;
    #[kernel(StatelessRandomUniformFullInt, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
    stateless_random_uniform_full_int_gpu = set_from_seed::<Device, Bits>;
    #[kernel(StatelessRandomUniformFullIntV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
    stateless_random_uniform_full_int_v2_gpu = set_from_key::<Device, Bits>;
    #[kernel(StatelessRandomUniformInt, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed, minval, maxval])]
    stateless_random_uniform_int_gpu = integers_from_seed::<Device>;
    #[kernel(StatelessRandomUniformIntV2, device = GPU, dtype = [i32, i64], Tshape = any, host_memory = [shape, key, counter, alg, minval, maxval])]
    stateless_random_uniform_int_v2_gpu = integers_from_key::<Device>;
}
