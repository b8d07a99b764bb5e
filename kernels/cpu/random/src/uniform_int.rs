//! `RandomUniformInt`, `StatelessRandomUniformInt`, `StatelessRandomUniformIntV2`: integers in `[minval, maxval)`.
//!
//! The output has the shape that the vector `shape` holds; `minval` and `maxval` are scalars, and `minval` must be less
//! where there is a number to draw. A number is `minval` plus the remainder of the drawn bits by the extent of the
//! range, TensorFlow's bit for bit; where the extent is no power of two, small remainders are slightly more likely.

use super::filling::{Distribution, Host, fill, fill_by_bits};
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{
    Generator, Integers, KeyCounter, RandomBackend, draw_integers, from_key_and_counter, from_seed,
};
use oplink_ops::random::{
    RandomUniformInt, RandomUniformIntInputs, RandomUniformIntOutputs, StatelessRandomUniformInt,
    StatelessRandomUniformIntV2,
};

/// `RandomUniformInt` with the generator of the node.
pub struct RandomUniformIntCpu(Generator);

#[kernel(RandomUniformInt, device = CPU, Tout = any, T = any, host_memory = [shape, minval, maxval])]
impl Kernel for RandomUniformIntCpu {
    type Op = RandomUniformInt;

    fn new(construction: Construction<'_, RandomUniformInt>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: RandomUniformIntInputs<'_>,
        outputs: &mut RandomUniformIntOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let RandomUniformIntInputs { shape, minval, maxval } = inputs;
        let reserve = |outputs| Ok(self.0.reserve_outputs(outputs));
        draw_integers::<Host>(&shape, (&minval, &maxval), reserve, &mut outputs.output, env)
    }
}

/// `StatelessRandomUniformInt` of int32 and int64.
#[kernel(StatelessRandomUniformInt, device = CPU, dtype = any, T = any, Tseed = any,
         host_memory = [shape, seed, minval, maxval])]
pub fn stateless_random_uniform_int_cpu(
    shape: &Tensor,
    seed: &Tensor,
    minval: &Tensor,
    maxval: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_integers::<Host>(shape, (minval, maxval), |_| from_seed(seed), &mut output, env)
}

/// `StatelessRandomUniformIntV2` of int32 and int64.
#[kernel(StatelessRandomUniformIntV2, device = CPU, dtype = [i32, i64], Tshape = any,
         host_memory = [shape, alg, minval, maxval])]
pub fn stateless_random_uniform_int_v2_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    minval: &Tensor,
    maxval: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = |outputs| from_key_and_counter(KeyCounter { key, counter, alg }, outputs);
    draw_integers::<Host>(shape, (minval, maxval), start, &mut output, env)
}

impl RandomBackend<Integers> for Host {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, range: &Integers) -> Result<()> {
        match out.dtype() {
            DType::Int32 => fill(&env, start, range, out.as_mut_slice::<i32>()?),
            _ => fill(&env, start, range, out.as_mut_slice::<i64>()?),
        }
        Ok(())
    }
}

impl Distribution<i32> for Integers {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [i32]) {
        let (low, extent) = (self.low as i32, self.extent as u32);
        let number = |bits: u32| low.wrapping_add((bits % extent) as i32);
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, &bits)| *out = number(bits));
        });
    }
}

impl Distribution<i64> for Integers {
    const GROUP: usize = 2;

    fn fill(&self, start: Philox, out: &mut [i64]) {
        let number = |[low, high]: [u32; 2]| {
            let bits = u64::from(low) | u64::from(high) << 32;
            self.low.wrapping_add((bits % self.extent) as i64)
        };
        fill_by_bits::<_, 2>(start, out, |bits, out| {
            out.iter_mut().zip(bits.as_chunks().0).for_each(|(out, &bits)| *out = number(bits));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, run};

    #[test]
    fn numbers_lie_in_the_range() {
        let draw = |low: i64, high: i64| {
            let inputs = vec![Tensor::from([1000]), Tensor::from([1i64, 2]), low.into(), high.into()];
            run("StatelessRandomUniformInt", &[], inputs).unwrap().remove(0).as_slice::<i64>().unwrap().to_vec()
        };
        let dice = draw(1, 7);
        assert!((1..7).all(|face| dice.contains(&face)) && dice.iter().all(|face| (1..7).contains(face)));
        let wide = draw(i64::MIN, i64::MAX);
        assert!(wide.iter().any(|number| *number < -(1 << 60)) && wide.iter().any(|number| *number > 1 << 60));
    }

    #[test]
    fn ranges_without_a_number_are_errors() {
        let seed = || Tensor::from([1i64, 2]);
        check_error(
            "StatelessRandomUniformInt",
            [[1].into(), seed(), 3.into(), 3.into()],
            "minval must be < maxval, they are 3 and 3",
        );
        let inputs = vec![[0].into(), seed(), 3.into(), 3.into()];
        assert!(run("StatelessRandomUniformInt", &[], inputs).is_ok());
    }
}
