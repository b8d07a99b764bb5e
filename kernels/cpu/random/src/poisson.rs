//! `RandomPoisson`, `RandomPoissonV2`, `StatelessRandomPoisson`: numbers of Poisson distributions.
//!
//! Below a rate of 10 uniform numbers are multiplied until the product is at most `exp(-rate)`; otherwise the method is
//! transformed rejection (Hörmann, "The transformed rejection method for generating Poisson random variables", 1993).

use super::sampling::{Sampler, Stock, check_ending, fill, largest, parameters};
use oplink::arguments::TypedOp;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{BLOCKS_PER_OUTPUT, Generator, from_seed, output_shape};
use oplink_ops::random::{RandomPoisson, RandomPoissonV2, StatelessRandomPoisson};

/// Rate from which numbers are drawn by rejection.
const REJECTION: f64 = 10.0;
/// Attempts after which the largest number is taken: only rates beyond what the dtype holds need as many.
const ATTEMPTS: usize = 1000;

/// Declares kernels that draw from the sequence of the node.
macro_rules! drawn_from_nodes {
    ($($(#[doc = $doc:literal])* #[kernel($op:ident $($keys:tt)*)] $name:ident;)*) => {$(
        $(#[doc = $doc])*
        pub struct $name(Generator);

        #[oplink::kernel($op $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
            }

            fn compute(
                &self,
                inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let samples = output_shape(&inputs.shape)?;
                let shape: Shape = [samples.dims(), inputs.rate.shape().dims()].concat().into();
                let out = outputs.output.allocate(shape)?;
                let start = self.0.reserve_outputs(out.num_elements());
                fill(&env, &poissons(&inputs.rate, out.dtype())?, start, out)
            }
        }
    )*};
}

drawn_from_nodes! {
    /// `RandomPoisson` with the generator of the node.
    #[kernel(RandomPoisson, device = CPU, S = any, dtype = any, host_memory = [shape])]
    RandomPoissonCpu;

    /// `RandomPoissonV2` with the generator of the node.
    #[kernel(RandomPoissonV2, device = CPU, S = any, R = any, dtype = any, host_memory = [shape])]
    RandomPoissonV2Cpu;
}

/// `StatelessRandomPoisson` of every dtype.
#[kernel(StatelessRandomPoisson, device = CPU, Rtype = any, dtype = any, T = any, Tseed = any,
         host_memory = [shape, seed])]
pub fn stateless_random_poisson_cpu(
    shape: &Tensor,
    seed: &Tensor,
    lam: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (shape, start) = (output_shape(shape)?, from_seed(seed)?);
    let is_empty = shape.num_elements() == 0;
    if !is_empty {
        check_ending(&shape, lam.shape())?;
    }
    let out = output.allocate(shape)?;
    if is_empty { Ok(()) } else { fill(&env, &poissons(lam, out.dtype())?, start, out) }
}

/// The distributions with these rates, of numbers that the dtype holds.
fn poissons(rates: &Tensor, dtype: DType) -> Result<Vec<Poisson>> {
    try_collect(parameters(rates)?.into_iter().map(|rate| Poisson { rate, largest: largest(dtype) }))
}

/// A Poisson distribution.
struct Poisson {
    rate: f64,
    largest: f64,
}

impl Sampler for Poisson {
    fn sample(&self, start: Philox, index: u64) -> f64 {
        let next = start.skipped(index.wrapping_mul(BLOCKS_PER_OUTPUT));
        if self.rate.is_nan() {
            self.rate
        } else if self.rate < REJECTION {
            multiplied(self.rate, next)
        } else {
            self.rejected(next)
        }
    }
}

/// How many uniform numbers are multiplied until the product is at most `exp(-rate)`, less 1.
fn multiplied(rate: f64, mut next: Philox) -> f64 {
    let (mut uniforms, bound) = (Stock::uniform(), (-rate).exp());
    let (mut product, mut count) = (1.0, 0.0);
    loop {
        product *= uniforms.take(&mut next);
        if product <= bound {
            return count;
        }
        count += 1.0;
    }
}

impl Poisson {
    /// The names are those of the paper.
    fn rejected(&self, mut next: Philox) -> f64 {
        let mut uniforms = Stock::uniform();
        let rate = self.rate;
        let b = 0.931 + 2.53 * rate.sqrt();
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        for _ in 0..ATTEMPTS {
            let u = uniforms.take(&mut next) - 0.5;
            let v = uniforms.take(&mut next);
            let shifted = 0.5 - u.abs();
            let k = ((2.0 * a / shifted + b) * u + rate + 0.43).floor();
            if k > self.largest {
                continue;
            }
            if shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2.0) {
                return k;
            }
            if k < 0.0 || (shifted < 0.013 && v > shifted) {
                continue;
            }
            let s = (v * inverse_alpha / (a / (shifted * shifted) + b)).ln();
            if s <= -rate + k * rate.ln() - Float::lgamma(k + 1.0) {
                return k;
            }
        }
        self.largest
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    fn drawn(lam: Tensor, dtype: DType) -> Tensor {
        let inputs = vec![[4].into(), [1i64, 2].into(), lam];
        run("StatelessRandomPoisson", &[("dtype", dtype.into())], inputs).unwrap().remove(0)
    }

    #[test]
    fn numbers_are_those_of_tensorflow() {
        assert_eq!(drawn(3f32.into(), DType::Float).as_slice::<f32>().unwrap(), [5.0, 5.0, 4.0, 6.0]);
    }

    #[test]
    fn rates_without_a_distribution_end() {
        assert!(drawn(f64::NAN.into(), DType::Double).as_slice::<f64>().unwrap()[0].is_nan());
        assert_eq!(drawn(f64::NAN.into(), DType::Int32).as_slice::<i32>().unwrap(), [i32::MIN; 4]);
        assert_eq!(drawn((-3f64).into(), DType::Int32).as_slice::<i32>().unwrap(), [0; 4]);
        assert_eq!(drawn(1e12f64.into(), DType::Int32).as_slice::<i32>().unwrap(), [i32::MAX; 4]);
        let inputs = vec![[2].into(), [1i64, 2].into(), [1f32, 2.0, 3.0].into()];
        let error = run("StatelessRandomPoisson", &[("dtype", DType::Float.into())], inputs).unwrap_err();
        assert!(error.to_string().contains("shape must end in the shape of the parameters"));
    }
}
