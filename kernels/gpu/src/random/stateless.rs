//! The stateless ops: shapes, seeds, keys, counters and bounds are in host memory, where they are made.

use oplink::prelude::*;
use oplink_ops::random::draws::{
    Bits, KeyCounter, Normal, Truncated, Uniform, draw_from_key, draw_from_seed, draw_integers, from_key_and_counter,
    from_seed,
};
use oplink_ops::random::*;

use crate::movement::Device;

/// `StatelessRandomUniform` in the device's memory.
#[kernel(StatelessRandomUniform, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_uniform_gpu(shape: &Tensor, seed: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    draw_from_seed::<Device, Uniform>(shape, seed, output, env)
}

/// `StatelessRandomUniformV2` in the device's memory.
#[kernel(StatelessRandomUniformV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
pub fn stateless_random_uniform_v2_gpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Device, Uniform>(shape, KeyCounter { key, counter, alg }, output, env)
}

/// `StatelessRandomNormal` in the device's memory.
#[kernel(StatelessRandomNormal, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_normal_gpu(shape: &Tensor, seed: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    draw_from_seed::<Device, Normal>(shape, seed, output, env)
}

/// `StatelessRandomNormalV2` in the device's memory.
#[kernel(StatelessRandomNormalV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
pub fn stateless_random_normal_v2_gpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Device, Normal>(shape, KeyCounter { key, counter, alg }, output, env)
}

/// `StatelessTruncatedNormal` in the device's memory.
#[kernel(StatelessTruncatedNormal, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_truncated_normal_gpu(
    shape: &Tensor,
    seed: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_seed::<Device, Truncated>(shape, seed, output, env)
}

/// `StatelessTruncatedNormalV2` in the device's memory.
#[kernel(StatelessTruncatedNormalV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
pub fn stateless_truncated_normal_v2_gpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Device, Truncated>(shape, KeyCounter { key, counter, alg }, output, env)
}

/// `StatelessRandomUniformFullInt` in the device's memory.
#[kernel(StatelessRandomUniformFullInt, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_uniform_full_int_gpu(
    shape: &Tensor,
    seed: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_seed::<Device, Bits>(shape, seed, output, env)
}

/// `StatelessRandomUniformFullIntV2` in the device's memory.
#[kernel(StatelessRandomUniformFullIntV2, device = GPU, dtype = any, Tshape = any, host_memory = [shape, key, counter, alg])]
pub fn stateless_random_uniform_full_int_v2_gpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Device, Bits>(shape, KeyCounter { key, counter, alg }, output, env)
}

/// `StatelessRandomUniformInt` in the device's memory.
#[kernel(StatelessRandomUniformInt, device = GPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed, minval, maxval])]
pub fn stateless_random_uniform_int_gpu(
    shape: &Tensor,
    seed: &Tensor,
    minval: &Tensor,
    maxval: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_integers::<Device>(shape, (minval, maxval), |_| from_seed(seed), &mut output, env)
}

/// `StatelessRandomUniformIntV2` in the device's memory.
#[kernel(StatelessRandomUniformIntV2, device = GPU, dtype = [i32, i64], Tshape = any, host_memory = [shape, key, counter, alg, minval, maxval])]
pub fn stateless_random_uniform_int_v2_gpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    minval: &Tensor,
    maxval: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = |count| from_key_and_counter(KeyCounter { key, counter, alg }, count);
    draw_integers::<Device>(shape, (minval, maxval), start, &mut output, env)
}
