//! The ops whose node holds a generator: its position is in host memory and moves on with each run, as on the CPU.

use oplink::prelude::*;
use oplink_cpu_random::filling::{Normal, Truncated, Uniform, set_from_node};
use oplink_cpu_random::*;
use oplink_ops::random::*;

use crate::host_fallback::kernels_with_generator;
use crate::movement::Device;

kernels_with_generator! {
    #[kernel(RandomUniform, device = GPU, dtype = any, T = any, host_memory = [shape])]
    RandomUniformGpu = set_from_node::<Device, Uniform>;
    #[kernel(RandomStandardNormal, device = GPU, dtype = any, T = any, host_memory = [shape])]
    RandomStandardNormalGpu = set_from_node::<Device, Normal>;
    #[kernel(TruncatedNormal, device = GPU, dtype = any, T = any, host_memory = [shape])]
    TruncatedNormalGpu = set_from_node::<Device, Truncated>;
    #[kernel(RandomUniformInt, device = GPU, Tout = any, T = any, host_memory = [shape, minval, maxval])]
    RandomUniformIntGpu = integers_from_node::<Device>;
}
