//! `RandomStandardNormal`, `StatelessRandomNormal`, `StatelessRandomNormalV2`: numbers of the normal distribution with mean
//! 0 and standard deviation 1.
//!
//! The output has the shape that the vector `shape` holds. Pairs of uniform numbers go through the transform of Box and Muller;
//! the 16-bit floats are rounded from single precision. TensorFlow's numbers, up to the last place of the mathematical
//! functions.

use oplink::prelude::*;

use super::box_muller;
use super::filling::{Distribution, Host, Normal, fill_by_bits, set_from_key, set_from_node, set_from_seed};
use super::generator::Generator;
use crate::support::philox::Philox;

/// Random numbers of the standard normal distribution, from the sequence of the node.
#[op("RandomStandardNormal",
     no_gradient,
     input = "shape: T",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random)]
pub struct RandomStandardNormal;

/// Random numbers of the standard normal distribution, a function of the shape and the seed.
#[op("StatelessRandomNormal",
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomNormal;

/// Random numbers of the standard normal distribution, a function of the shape, the key and the counter.
#[op("StatelessRandomNormalV2",
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {half, bfloat16, float, double} = DT_FLOAT",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomNormalV2;

/// `RandomStandardNormal` with the generator of the node.
pub struct RandomStandardNormalCpu(Generator);

#[kernel(RandomStandardNormal, device = CPU, dtype = any, T = any, host_memory = [shape])]
impl Kernel for RandomStandardNormalCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Generator::new(*construction).map(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        set_from_node::<Host, Normal>(context, &self.0)
    }
}

/// `StatelessRandomNormal` of every dtype.
#[kernel(StatelessRandomNormal, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_normal_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_seed::<Host, Normal>(context)
}

/// `StatelessRandomNormalV2` of every dtype.
#[kernel(StatelessRandomNormalV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_random_normal_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_key::<Host, Normal>(context)
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
    use crate::support::testing::run;

    #[test]
    fn moments_are_those_of_the_distribution() {
        let inputs = || vec![Tensor::from([20_001]), Tensor::from([1i64, 2])];
        let out = run("StatelessRandomNormal", &[], inputs()).unwrap().remove(0);
        let values = out.as_slice::<f32>().unwrap();
        let mean = |power: i32| values.iter().map(|v| f64::from(*v).powi(power)).sum::<f64>() / values.len() as f64;
        assert!(mean(1).abs() < 0.03 && (mean(2) - 1.0).abs() < 0.03 && mean(3).abs() < 0.1, "{}", mean(2));
    }
}
