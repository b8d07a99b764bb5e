//! `RandomGamma`, `StatelessRandomGammaV2`, `StatelessRandomGammaV3`: numbers of gamma distributions with scale 1, by
//! the method of Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).

use super::box_muller;
use super::sampling::{Sampler, Stock, check_ending, fill, parameters};
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{
    BLOCKS_PER_OUTPUT, Generator, KeyCounter, from_key_and_counter, from_seed, output_shape,
};
use oplink_ops::random::{
    RandomGamma, RandomGammaInputs, RandomGammaOutputs, StatelessRandomGammaV2, StatelessRandomGammaV3,
};

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
        fill(&env, &gammas(alpha)?, start, out)
    }
}

/// `StatelessRandomGammaV2` of the floating dtypes.
#[kernel(StatelessRandomGammaV2, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_gamma_v2_cpu(
    shape: &Tensor,
    seed: &Tensor,
    alpha: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = from_seed(seed)?;
    draw(shape, alpha, |_| Ok(start), &mut output, &env)
}

/// `StatelessRandomGammaV3` of the floating dtypes.
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
    let start = |outputs| from_key_and_counter(KeyCounter { key, counter, alg }, outputs);
    draw(shape, alpha, start, &mut output, &env)
}

/// Draws from the position that `start` gives for so many outputs. Where there are none, `alpha` is not looked at.
fn draw(
    shape: &Tensor,
    alpha: &Tensor,
    start: impl FnOnce(usize) -> Result<Philox>,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let shape = output_shape(shape)?;
    let start = start(shape.num_elements())?;
    if shape.num_elements() > 0 {
        check_ending(&shape, alpha.shape())?;
    }
    let out = output.allocate(shape)?;
    if out.num_elements() == 0 { Ok(()) } else { fill(env, &gammas(alpha)?, start, out) }
}

/// The distributions with these parameters.
fn gammas(alpha: &Tensor) -> Result<Vec<Gamma>> {
    try_collect(parameters(alpha)?.into_iter().map(Gamma::new))
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
        let mut uniforms = Stock::uniform();
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

impl Sampler for Gamma {
    fn sample(&self, start: Philox, index: u64) -> f64 {
        self.draw(start.skipped(index.wrapping_mul(BLOCKS_PER_OUTPUT)))
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
