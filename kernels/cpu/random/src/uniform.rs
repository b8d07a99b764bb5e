//! `RandomUniform`, `StatelessRandomUniform`, `StatelessRandomUniformV2`: numbers in `[0, 1)`.
//!
//! The output has the shape that the vector `shape` holds. A number's significand is drawn, with the exponent of 1, and
//! 1 is subtracted; the numbers are TensorFlow's, bit for bit.

use super::filling::{Distribution, Host, fill_by_bits};
use oplink::prelude::*;
use oplink_ops::philox::{Philox, double, single};
use oplink_ops::random::draws::{Generator, KeyCounter, Uniform, draw_from_key, draw_from_node, draw_from_seed};
use oplink_ops::random::{
    RandomUniform, RandomUniformInputs, RandomUniformOutputs, StatelessRandomUniform, StatelessRandomUniformV2,
};

/// `RandomUniform` with the generator of the node.
pub struct RandomUniformCpu(Generator);

#[kernel(RandomUniform, device = CPU, dtype = any, T = any, host_memory = [shape])]
impl Kernel for RandomUniformCpu {
    type Op = RandomUniform;

    fn new(construction: Construction<'_, RandomUniform>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: RandomUniformInputs<'_>,
        outputs: &mut RandomUniformOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        draw_from_node::<Host, Uniform>(&inputs.shape, &self.0, &mut outputs.output, env)
    }
}

/// `StatelessRandomUniform` of every dtype.
#[kernel(StatelessRandomUniform, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_uniform_cpu(shape: &Tensor, seed: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    draw_from_seed::<Host, Uniform>(shape, seed, output, env)
}

/// `StatelessRandomUniformV2` of every dtype.
#[kernel(StatelessRandomUniformV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_random_uniform_v2_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Host, Uniform>(shape, KeyCounter { key, counter, alg }, output, env)
}

impl Distribution<f32> for Uniform {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [f32]) {
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, &bits)| *out = single(bits));
        });
    }
}

impl Distribution<f64> for Uniform {
    const GROUP: usize = 2;

    fn fill(&self, start: Philox, out: &mut [f64]) {
        fill_by_bits::<_, 2>(start, out, |bits, out| {
            out.iter_mut().zip(bits.as_chunks().0).for_each(|(out, &[high, low])| *out = double(high, low));
        });
    }
}

/// The number in `[0, 1)` whose significand ends in these bits.
#[inline]
pub(super) fn half(bits: u32) -> f16 {
    f16::from_bits(0x3C00 | (bits & 0x03FF) as u16) - f16::ONE
}

/// As [`half`].
#[inline]
pub(super) fn brain(bits: u32) -> bf16 {
    bf16::from_bits(0x3F80 | (bits & 0x007F) as u16) - bf16::ONE
}

impl Distribution<f16> for Uniform {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [f16]) {
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, &bits)| *out = half(bits));
        });
    }
}

impl Distribution<bf16> for Uniform {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [bf16]) {
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, &bits)| *out = brain(bits));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run, run_in};

    #[test]
    fn values_are_those_of_tensorflow() {
        let attrs = [("seed", 1.into()), ("seed2", 2.into()), ("dtype", DType::Float.into())];
        let out = run("RandomUniform", &attrs, vec![Tensor::from_slice::<i32>(&[])]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), 0.406_396_75);
    }

    #[test]
    fn an_unknown_algorithm_without_outputs_needs_a_counter_of_its_number() {
        let drawn = |dim: i32, algorithm: i32, words: usize| {
            let (key, counter) = (Tensor::from_slice(&[1u64]), Tensor::zeros(DType::UInt64, [words]).unwrap());
            run("StatelessRandomUniformV2", &[], vec![[dim].into(), key, counter, Tensor::scalar(algorithm)])
        };
        assert_eq!(drawn(0, 9, 9).unwrap()[0].num_elements(), 0);
        assert!(drawn(0, 9, 2).unwrap_err().to_string().contains("at least 9 numbers"));
        assert!(drawn(1, 9, 9).unwrap_err().to_string().contains("alg must be 1"));
        assert!(drawn(0, 1, 1).unwrap_err().to_string().contains("at least 2 numbers"));
    }

    #[test]
    fn threads_change_nothing() {
        for dtype in [DType::Float, DType::Double] {
            let run = |threads| {
                let inputs = vec![Tensor::from([50_001]), Tensor::from([1i64, 2])];
                run_in(&Threads(threads), "StatelessRandomUniform", &[("dtype", dtype.into())], inputs).unwrap()
            };
            assert_eq!(run(1)[0].as_bytes().unwrap(), run(3)[0].as_bytes().unwrap());
        }
    }
}
