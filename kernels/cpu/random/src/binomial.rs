//! `StatelessRandomBinomial`, `StatefulRandomBinomial`: numbers of binomial distributions.
//!
//! Where the expected number of the rarer outcome is below 10, gaps between such outcomes are drawn and added up;
//! otherwise the method is transformed rejection (Hörmann, "The generation of binomial random variates", 1993).

use super::position::{advance, check_philox, check_vector, scalar};
use super::sampling::{Sampler, Stock, broadcast_positions, check_ending, fill, parameters};
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink::resource::Variable;
use oplink::shape_inference::broadcast_shapes;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{BLOCKS_PER_OUTPUT, from_seed, output_shape};
use oplink_ops::random::{StatefulRandomBinomial, StatelessRandomBinomial};

/// Expected number from which numbers are drawn by rejection.
const REJECTION: f64 = 10.0;
/// Blocks that TensorFlow sets aside for a number that is drawn by gaps.
const BLOCKS_OF_GAPS: u64 = 42;
/// Blocks, of four numbers, that TensorFlow sets aside for each in the variable.
const BLOCKS_IN_VARIABLE: u64 = 200;

/// `StatelessRandomBinomial` of parameters of the floating dtypes.
#[kernel(StatelessRandomBinomial, device = CPU, S = any, Tseed = any, T = [f16, f32, f64], dtype = any,
         host_memory = [shape, seed])]
pub fn stateless_random_binomial_cpu(
    shape: &Tensor,
    seed: &Tensor,
    counts: &Tensor,
    probs: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = from_seed(seed)?;
    draw(shape, (counts, probs), |_, _| Ok(start), &mut output, &env)
}

/// `StatefulRandomBinomial` of parameters of the floating dtypes.
#[kernel(StatefulRandomBinomial, device = CPU, S = any, T = [f16, f32, f64], dtype = any,
         host_memory = [resource, algorithm, shape])]
pub fn stateful_random_binomial_cpu(
    resource: Input<'_>,
    algorithm: &Tensor,
    shape: &Tensor,
    counts: &Tensor,
    probs: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let reserve = |distributions: u64, samples: u64| {
        let number = scalar(algorithm)?;
        let variable = resource.resource::<Variable>()?;
        let mut guard = variable.lock();
        check_vector(&guard)?;
        check_philox(number)?;
        // bounded: numbers of a sequence, no memory
        let units = distributions.wrapping_mul(BLOCKS_IN_VARIABLE).wrapping_mul(samples.wrapping_add(3)) / 4;
        advance(&mut guard, 0, units.wrapping_mul(BLOCKS_PER_OUTPUT), &env)
    };
    draw(shape, (counts, probs), reserve, &mut output, &env)
}

/// Draws from the position that `start` gives for so many distributions and samples of each.
fn draw(
    shape: &Tensor,
    (counts, probs): (&Tensor, &Tensor),
    start: impl FnOnce(u64, u64) -> Result<Philox>,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let whole = broadcast_shapes(counts.shape(), probs.shape())?;
    let shape = output_shape(shape)?;
    check_ending(&shape, &whole)?;
    let samples = shape.dims()[..shape.rank() - whole.rank()].iter().map(|&dim| dim as u64).product();
    let start = start(whole.num_elements() as u64, samples)?;
    let out = output.allocate(shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let narrow: fn(f64) -> f64 = match counts.dtype() {
        DType::Half => |value| f16::from_f64(value).to_f64(),
        DType::Float => |value| f64::from(value as f32),
        _ => |value| value,
    };
    let (count, probability) = (parameters(counts)?, parameters(probs)?);
    let positions = [broadcast_positions(counts.shape(), &whole)?, broadcast_positions(probs.shape(), &whole)?];
    let pairs = positions[0].iter().zip(&positions[1]);
    let binomials = try_collect(pairs.map(|(&c, &p)| Binomial::new(count[c], probability[p], narrow)))?;
    fill(env, &binomials, start, out)
}

/// A binomial distribution.
enum Binomial {
    /// One number only.
    Constant(f64),
    /// The rarer outcome has this probability; the number is that of the others where `complement` is set.
    Random { count: f64, probability: f64, complement: bool, is_rare: bool },
}

impl Binomial {
    /// The expected number is compared in the dtype of the parameters, to which `narrow` rounds.
    fn new(count: f64, probability: f64, narrow: fn(f64) -> f64) -> Self {
        if count.is_nan() || probability.is_nan() {
            return Self::Constant(f64::NAN);
        }
        if count <= 0.0 || probability <= 0.0 {
            return Self::Constant(0.0);
        }
        if probability >= 1.0 {
            return Self::Constant(count);
        }
        let complement = probability > 0.5;
        let probability = if complement { narrow(1.0 - probability) } else { probability };
        let is_rare = narrow(count * probability) < REJECTION;
        Self::Random { count, probability, complement, is_rare }
    }
}

impl Sampler for Binomial {
    fn sample(&self, start: Philox, index: u64) -> f64 {
        match *self {
            Self::Constant(number) => number,
            Self::Random { count, probability, complement, is_rare } => {
                let number = if is_rare {
                    by_gaps(count, probability, start.skipped(index.wrapping_mul(BLOCKS_OF_GAPS)))
                } else {
                    by_rejection(count, probability, start.skipped(index.wrapping_mul(BLOCKS_PER_OUTPUT)))
                };
                if complement { count - number } else { number }
            }
        }
    }
}

/// How many gaps between outcomes of this probability fit into `count` trials.
fn by_gaps(count: f64, probability: f64, mut next: Philox) -> f64 {
    let mut uniforms = Stock::uniform();
    let (mut trials, mut outcomes) = (0.0, 0.0);
    loop {
        trials += (uniforms.take(&mut next).ln() / (-probability).ln_1p()).ceil();
        if trials > count {
            return outcomes;
        }
        outcomes += 1.0;
    }
}

/// The names are those of the paper.
fn by_rejection(count: f64, probability: f64, mut next: Philox) -> f64 {
    let mut uniforms = Stock::uniform();
    let deviation = (count * probability * (1.0 - probability)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * probability;
    let c = count * probability + 0.5;
    let v_r = 0.92 - 4.2 / b;
    let r = probability / (1.0 - probability);
    let alpha = (2.83 + 5.1 / b) * deviation;
    let m = ((count + 1.0) * probability).floor();
    loop {
        let u = uniforms.take(&mut next);
        let v = uniforms.take(&mut next);
        let u = u - 0.5;
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        if us >= 0.07 && v <= v_r {
            return k;
        }
        if k < 0.0 || k > count {
            continue;
        }
        let v = (v * alpha / (a / (us * us) + b)).ln();
        let bound = (m + 0.5) * ((m + 1.0) / (r * (count - m + 1.0))).ln()
            + (count + 1.0) * ((count - m + 1.0) / (count - k + 1.0)).ln()
            + (k + 0.5) * (r * (count - k + 1.0) / (k + 1.0)).ln()
            + stirling_tail(m)
            + stirling_tail(count - m)
            - stirling_tail(k)
            - stirling_tail(count - k);
        if v <= bound {
            return k;
        }
    }
}

/// What Stirling's approximation leaves of the logarithm of `k!`.
fn stirling_tail(k: f64) -> f64 {
    const TAILS: [f64; 10] = [
        0.081_061_466_795_327_2,
        0.041_340_695_955_409_2,
        0.027_677_925_684_998_3,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_1,
        0.013_876_128_823_070_7,
        0.011_896_709_945_891_7,
        0.010_411_265_261_972,
        0.009_255_462_182_712_73,
        0.008_330_563_433_362_87,
    ];
    if k <= 9.0 {
        return TAILS[k as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check_error, run};

    fn drawn(counts: Tensor, probs: Tensor) -> Vec<f64> {
        let inputs = vec![[4].into(), [1i64, 2].into(), counts, probs];
        let out = run("StatelessRandomBinomial", &[("dtype", DType::Double.into())], inputs).unwrap().remove(0);
        out.as_slice::<f64>().unwrap().to_vec()
    }

    #[test]
    fn numbers_are_those_of_tensorflow() {
        assert_eq!(drawn(10f32.into(), 0.3f32.into()), [5.0, 5.0, 5.0, 4.0]);
    }

    #[test]
    fn parameters_at_the_ends_give_one_number() {
        assert_eq!(drawn(10f32.into(), 2f32.into()), [10.0; 4]);
        assert_eq!(drawn(10f32.into(), (-1f32).into()), [0.0; 4]);
        assert!(drawn(f32::NAN.into(), 0.5f32.into()).iter().all(|number| number.is_nan()));
        drawn(f32::INFINITY.into(), 0.5f32.into());
        let inputs = [[3, 2].into(), [1i64, 2].into(), [1f32, 2.0, 3.0].into(), 0.5f32.into()];
        check_error("StatelessRandomBinomial", inputs, "shape must end in the shape of the parameters");
    }
}
