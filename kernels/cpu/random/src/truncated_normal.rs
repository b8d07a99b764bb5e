//! `TruncatedNormal`, `StatelessTruncatedNormal`, `StatelessTruncatedNormalV2`: numbers of the standard normal
//! distribution within 2 of the mean.
//!
//! The output has the shape that the vector `shape` holds. Normal numbers that lie outside are dropped and others drawn
//! in their place; each group of numbers has bits enough of its own, so that groups do not depend on each other.
//! TensorFlow's numbers, up to the last place of the mathematical functions.

use super::box_muller;
use super::filling::{Distribution, Host};
use oplink::prelude::*;
use oplink_ops::philox::{Philox, Singles};
use oplink_ops::random::draws::{
    BLOCKS_PER_OUTPUT, Generator, KeyCounter, Truncated, draw_from_key, draw_from_node, draw_from_seed,
};
use oplink_ops::random::{
    StatelessTruncatedNormal, StatelessTruncatedNormalV2, TruncatedNormal, TruncatedNormalInputs,
    TruncatedNormalOutputs,
};

/// Magnitude that numbers stay below.
const BOUND: f32 = 2.0;

/// `TruncatedNormal` with the generator of the node.
pub struct TruncatedNormalCpu(Generator);

#[kernel(TruncatedNormal, device = CPU, dtype = any, T = any, host_memory = [shape])]
impl Kernel for TruncatedNormalCpu {
    type Op = TruncatedNormal;

    fn new(construction: Construction<'_, TruncatedNormal>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: TruncatedNormalInputs<'_>,
        outputs: &mut TruncatedNormalOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        draw_from_node::<Host, Truncated>(&inputs.shape, &self.0, &mut outputs.output, env)
    }
}

/// `StatelessTruncatedNormal` of every dtype.
#[kernel(StatelessTruncatedNormal, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_truncated_normal_cpu(
    shape: &Tensor,
    seed: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_seed::<Host, Truncated>(shape, seed, output, env)
}

/// `StatelessTruncatedNormalV2` of every dtype.
#[kernel(StatelessTruncatedNormalV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_truncated_normal_v2_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Host, Truncated>(shape, KeyCounter { key, counter, alg }, output, env)
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
    use oplink_cpu_support::testing::{Threads, run_in};

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
