//! `RandomGamma`, `StatelessRandomGammaV2`, `StatelessRandomGammaV3`: numbers of gamma distributions with scale 1.
//!
//! For each element of `alpha`, the distribution's shape parameter, there are as many numbers as `shape` says: the
//! output has the shape `shape + alpha.shape`, or, of the stateless ops, `shape`, which ends with that of `alpha`. The
//! method is that of Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): normal numbers are
//! transformed and some rejected; for `alpha < 1` a number for `alpha + 1` is multiplied by the power `1 / alpha` of a
//! uniform one, and for `alpha = 1` the exponential distribution is inverted. Computed in double precision for every
//! dtype; TensorFlow's numbers, up to the last places of the mathematical functions.

use super::box_muller;
use super::uniform::double;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{
    BLOCKS_PER_OUTPUT, Generator, KeyCounter, from_key_and_counter, from_seed, output_shape,
};
use oplink_ops::random::{
    RandomGamma, RandomGammaInputs, RandomGammaOutputs, StatelessRandomGammaV2, StatelessRandomGammaV3,
};

/// Fewest numbers that are worth a thread's while.
const GRAIN: usize = 1 << 10;

/// Factor of the bound under which no logarithm is needed to accept a number.
const SQUEEZE: f64 = 0.0331;

/// `RandomGamma` with the generator of the node.
pub struct RandomGammaCpu(Generator);

#[kernel(RandomGamma, device = CPU, S = any, T = any, host_memory = [shape])]
impl Kernel for RandomGammaCpu {
    type Op = RandomGamma;

    fn new(construction: Construction<'_, RandomGamma>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(&self, inputs: RandomGammaInputs<'_>, outputs: &mut RandomGammaOutputs<'_>, env: Env<'_>) -> Result<()> {
        let samples = output_shape(&inputs.shape)?;
        let shape: Shape = [samples.dims(), inputs.alpha.shape().dims()].concat().into();
        let (alpha, out) = (&*inputs.alpha, outputs.output.allocate(shape)?);
        let start = self.0.reserve_outputs(out.num_elements());
        fill_any(alpha, start, out, &env)
    }
}

/// `StatelessRandomGammaV2` of every dtype.
#[kernel(StatelessRandomGammaV2, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_gamma_v2_cpu(
    shape: &Tensor,
    seed: &Tensor,
    alpha: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = stateless_shape(shape, alpha)?;
    let start = from_seed(seed)?;
    fill_any(alpha, start, output.allocate(shape)?, &env)
}

/// `StatelessRandomGammaV3` of every dtype.
#[kernel(StatelessRandomGammaV3, device = CPU, dtype = any, shape_dtype = any, host_memory = [shape, alg])]
pub fn stateless_random_gamma_v3_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    alpha: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = stateless_shape(shape, alpha)?;
    let start = from_key_and_counter(KeyCounter { key, counter, alg }, shape.num_elements())?;
    fill_any(alpha, start, output.allocate(shape)?, &env)
}

/// The shape that is given, which must end with that of `alpha`.
fn stateless_shape(shape: &Tensor, alpha: &Tensor) -> Result<Shape> {
    let shape = output_shape(shape)?;
    ensure!(
        shape.dims().ends_with(alpha.shape().dims()),
        "shape {shape} must end with the shape of alpha, {}",
        alpha.shape()
    );
    Ok(shape)
}

/// Writes the numbers, of the dtype of `alpha`.
fn fill_any(alpha: &Tensor, start: Philox, out: &mut Tensor, env: &Env<'_>) -> Result<()> {
    match alpha.dtype() {
        DType::Half => fill(alpha, start, out, env, f16::to_f64, f16::from_f64),
        DType::Float => fill(alpha, start, out, env, f64::from, |number| number as f32),
        _ => fill::<f64>(alpha, start, out, env, |alpha| alpha, |number| number),
    }
}

/// Writes the numbers. The bits of a number are counted alpha by alpha, while the output has sample by sample.
fn fill<T: Element + Copy>(
    alphas: &Tensor,
    start: Philox,
    out: &mut Tensor,
    env: &Env<'_>,
    widen: impl Fn(T) -> f64,
    narrow: impl Fn(f64) -> T + Sync,
) -> Result<()> {
    let alphas = alphas.as_slice::<T>()?;
    let gammas: Vec<Gamma> = alphas.iter().map(|&alpha| Gamma::new(widen(alpha))).collect();
    let samples = out.num_elements() / gammas.len().max(1);
    for_each_chunk(env, out.as_mut_slice::<T>()?, GRAIN, 1, &|from, part| {
        for (index, out) in (from..).zip(part) {
            let (sample, alpha) = (index / gammas.len(), index % gammas.len());
            let start = start.skipped((alpha * samples + sample) as u64 * BLOCKS_PER_OUTPUT);
            *out = narrow(gammas[alpha].draw(start));
        }
    });
    Ok(())
}

/// A gamma distribution.
struct Gamma {
    alpha: f64,
    center: f64,
    spread: f64,
}

impl Gamma {
    fn new(alpha: f64) -> Self {
        let center = alpha + if alpha < 1.0 { 2.0 / 3.0 } else { -1.0 / 3.0 };
        Self { alpha, center, spread: 1.0 / 3.0 / center.sqrt() }
    }

    /// The number that the bits from `start` on give.
    fn draw(&self, start: Philox) -> f64 {
        let mut normals = Stock::new(box_muller::doubles);
        let mut uniforms = Stock::new(|[a, b, c, d]| [double(a, b), double(c, d)]);
        let mut next = start;
        if self.alpha == 1.0 {
            return -(-uniforms.take(&mut next)).ln_1p();
        }
        loop {
            let x = normals.take(&mut next);
            let v = 1.0 + self.spread * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            if self.accepts(x, v, uniforms.take(&mut next)) {
                let number = self.center * v;
                let mut factor = || uniforms.take(&mut next).powf(1.0 / self.alpha);
                return if self.alpha < 1.0 { number * factor() } else { number };
            }
        }
    }

    fn accepts(&self, x: f64, v: f64, u: f64) -> bool {
        u < 1.0 - SQUEEZE * (x * x) * (x * x) || u.ln() < 0.5 * x * x + self.center * (1.0 - v + v.ln())
    }
}

/// The numbers of a block that are not used yet.
struct Stock {
    numbers_of: fn([u32; Philox::BLOCK]) -> [f64; 2],
    numbers: [f64; 2],
    left: usize,
}

impl Stock {
    fn new(numbers_of: fn([u32; Philox::BLOCK]) -> [f64; 2]) -> Self {
        Self { numbers_of, numbers: [0.0; 2], left: 0 }
    }

    /// The last unused number of a block; draws one where there is none.
    fn take(&mut self, next: &mut Philox) -> f64 {
        if self.left == 0 {
            self.numbers = (self.numbers_of)(next.block());
            self.left = self.numbers.len();
        }
        self.left -= 1;
        self.numbers[self.left]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run, run_in};

    #[test]
    fn threads_change_nothing() {
        let run = |threads| {
            let inputs = vec![Tensor::from([1501]), Tensor::from([0.5f32, 2.0, 9.0])];
            run_in(&Threads(threads), "RandomGamma", &[("seed", 5.into())], inputs).unwrap().remove(0)
        };
        assert_eq!(run(1).as_bytes().unwrap(), run(3).as_bytes().unwrap());
    }

    #[test]
    fn empty_and_odd_parameters_end() {
        let out = run("RandomGamma", &[], vec![[2].into(), Tensor::from([0.0f32, -1.0, f32::NAN, f32::INFINITY])]);
        let out = out.unwrap().remove(0);
        assert_eq!(out.shape().dims(), [2, 4]);
        assert!(out.as_slice::<f32>().unwrap()[1].is_nan());
        let out = run("RandomGamma", &[], vec![[2].into(), Tensor::from_slice::<f32>(&[])]).unwrap();
        assert_eq!(out[0].shape().dims(), [2, 0]);
    }
}
