//! `RandomStandardNormal`, `StatelessRandomNormal`, `StatelessRandomNormalV2`: numbers of the normal distribution with
//! mean 0 and standard deviation 1.
//!
//! The output has the shape that the vector `shape` holds. Pairs of uniform numbers go through the transform of Box and
//! Muller; the 16-bit floats are rounded from single precision. TensorFlow's numbers, up to the last place of the
//! mathematical functions.

use super::box_muller;
use super::filling::{Distribution, Host, fill_by_bits};
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{Generator, KeyCounter, Normal, draw_from_key, draw_from_node, draw_from_seed};
use oplink_ops::random::{
    RandomStandardNormal, RandomStandardNormalInputs, RandomStandardNormalOutputs, StatelessRandomNormal,
    StatelessRandomNormalV2,
};

/// `RandomStandardNormal` with the generator of the node.
pub struct RandomStandardNormalCpu(Generator);

#[kernel(RandomStandardNormal, device = CPU, dtype = any, T = any, host_memory = [shape])]
impl Kernel for RandomStandardNormalCpu {
    type Op = RandomStandardNormal;

    fn new(construction: Construction<'_, RandomStandardNormal>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: RandomStandardNormalInputs<'_>,
        outputs: &mut RandomStandardNormalOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        draw_from_node::<Host, Normal>(&inputs.shape, &self.0, &mut outputs.output, env)
    }
}

/// `StatelessRandomNormal` of every dtype.
#[kernel(StatelessRandomNormal, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_normal_cpu(shape: &Tensor, seed: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    draw_from_seed::<Host, Normal>(shape, seed, output, env)
}

/// `StatelessRandomNormalV2` of every dtype.
#[kernel(StatelessRandomNormalV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_random_normal_v2_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Host, Normal>(shape, KeyCounter { key, counter, alg }, output, env)
}

/// Writes pairs of numbers.
#[inline]
fn fill_singles<T>(start: Philox, out: &mut [T], round: impl Fn(f32) -> T) {
    fill_by_bits::<_, 1>(start, out, |bits, out| {
        for (pair, &bits) in out.chunks_mut(2).zip(bits.as_chunks().0) {
            pair.iter_mut().zip(box_muller::singles(bits)).for_each(|(out, number)| *out = round(number));
        }
    });
}

impl Distribution<f32> for Normal {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [f32]) {
        fill_singles(start, out, |number| number);
    }
}

impl Distribution<f16> for Normal {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [f16]) {
        fill_singles(start, out, f16::from_f32);
    }
}

impl Distribution<bf16> for Normal {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [bf16]) {
        fill_singles(start, out, bf16::from_f32);
    }
}

impl Distribution<f64> for Normal {
    const GROUP: usize = 2;

    fn fill(&self, start: Philox, out: &mut [f64]) {
        fill_by_bits::<_, 2>(start, out, |bits, out| {
            for (pair, &bits) in out.chunks_mut(2).zip(bits.as_chunks().0) {
                pair.iter_mut().zip(box_muller::doubles(bits)).for_each(|(out, number)| *out = number);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn moments_are_those_of_the_distribution() {
        let inputs = || vec![Tensor::from([20_001]), Tensor::from([1i64, 2])];
        let out = run("StatelessRandomNormal", &[], inputs()).unwrap().remove(0);
        let values = out.as_slice::<f32>().unwrap();
        let mean = |power: i32| values.iter().map(|v| f64::from(*v).powi(power)).sum::<f64>() / values.len() as f64;
        assert!(mean(1).abs() < 0.03 && (mean(2) - 1.0).abs() < 0.03 && mean(3).abs() < 0.1, "{}", mean(2));
    }
}
