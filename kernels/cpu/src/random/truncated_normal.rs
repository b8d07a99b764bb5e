//! `TruncatedNormal`, `StatelessTruncatedNormal`, `StatelessTruncatedNormalV2`: numbers of the standard normal distribution
//! within 2 of the mean.
//!
//! The output has the shape that the vector `shape` holds. Normal numbers that lie outside are dropped and others drawn in their
//! place; each group of numbers has bits enough of its own, so that groups do not depend on each other. TensorFlow's numbers,
//! up to the last place of the mathematical functions.

use oplink::prelude::*;

use super::box_muller;
use super::filling::{Distribution, Host, Truncated, set_from_key, set_from_node, set_from_seed};
use super::generator::{BLOCKS_PER_OUTPUT, Generator};
use crate::support::philox::{Philox, Singles};

/// Magnitude that numbers stay below.
const BOUND: f32 = 2.0;

/// Random numbers of the standard normal distribution within 2 of the mean, from the sequence of the node.
#[op("TruncatedNormal",
     no_gradient,
     input = "shape: T",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random)]
pub struct TruncatedNormal;

/// Random numbers of the standard normal distribution within 2 of the mean, a function of the shape and the seed.
#[op("StatelessTruncatedNormal",
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessTruncatedNormal;

/// Random numbers of the standard normal distribution within 2 of the mean, a function of the shape, the key and the
/// counter.
#[op("StatelessTruncatedNormalV2",
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessTruncatedNormalV2;

/// `TruncatedNormal` with the generator of the node.
pub struct TruncatedNormalCpu(Generator);

#[kernel(TruncatedNormal, device = CPU, dtype = any, T = any, host_memory = [shape])]
impl Kernel for TruncatedNormalCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Generator::new(*construction).map(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        set_from_node::<Host, Truncated>(context, &self.0)
    }
}

/// `StatelessTruncatedNormal` of every dtype.
#[kernel(StatelessTruncatedNormal, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_truncated_normal_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_seed::<Host, Truncated>(context)
}

/// `StatelessTruncatedNormalV2` of every dtype.
#[kernel(StatelessTruncatedNormalV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_truncated_normal_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_key::<Host, Truncated>(context)
}

/// Blocks between groups of so many numbers.
const fn blocks(group: usize) -> u64 {
    group as u64 * BLOCKS_PER_OUTPUT / Philox::BLOCK as u64
}

/// Writes the numbers of the first pairs that pass.
#[inline]
fn pick<T, N: Copy>(
    out: &mut [T],
    passes: impl Fn(N) -> bool,
    round: impl Fn(N) -> T,
    mut pair: impl FnMut() -> [N; 2],
) {
    let mut slots = out.iter_mut();
    let mut rest = slots.len();
    while rest > 0 {
        for number in pair().into_iter().filter(|&number| passes(number)) {
            let Some(slot) = slots.next() else { return };
            *slot = round(number);
            rest -= 1;
        }
    }
}

/// Writes groups of single precision.
fn fill_singles<T>(start: Philox, out: &mut [T], round: impl Fn(f32) -> T + Copy) {
    for (index, group) in (0..).zip(out.chunks_mut(4)) {
        let mut bits = Singles::new(start.skipped(index * blocks(4)));
        let pair = || box_muller::singles([bits.draw(), bits.draw()]);
        pick(group, |number: f32| number.abs() < BOUND, round, pair);
    }
}

impl Distribution<f32> for Truncated {
    const GROUP: usize = 4;
    const BLOCKS: u64 = blocks(4);

    fn fill(&self, start: Philox, out: &mut [f32]) {
        fill_singles(start, out, |number| number);
    }
}

impl Distribution<f16> for Truncated {
    const GROUP: usize = 4;
    const BLOCKS: u64 = blocks(4);

    fn fill(&self, start: Philox, out: &mut [f16]) {
        fill_singles(start, out, f16::from_f32);
    }
}

impl Distribution<bf16> for Truncated {
    const GROUP: usize = 4;
    const BLOCKS: u64 = blocks(4);

    fn fill(&self, start: Philox, out: &mut [bf16]) {
        fill_singles(start, out, bf16::from_f32);
    }
}

impl Distribution<f64> for Truncated {
    const GROUP: usize = 2;
    const BLOCKS: u64 = blocks(2);

    fn fill(&self, start: Philox, out: &mut [f64]) {
        for (index, group) in (0..).zip(out.chunks_mut(2)) {
            let mut generator = start.skipped(index * blocks(2));
            let pair = || box_muller::doubles(generator.block());
            pick(group, |number: f64| number.abs() < f64::from(BOUND), |number| number, pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{Threads, run_in};

    #[test]
    fn threads_change_nothing_and_numbers_stay_within_the_bound() {
        let run = |threads| {
            let inputs = vec![Tensor::from([50_001]), Tensor::from([1i64, 2])];
            run_in(&Threads(threads), "StatelessTruncatedNormal", &[], inputs).unwrap().remove(0)
        };
        let out = run(1);
        assert_eq!(out.as_bytes().unwrap(), run(3).as_bytes().unwrap());
        assert!(out.as_slice::<f32>().unwrap().iter().all(|number| number.abs() < BOUND));
    }
}
