//! `Multinomial` and `StatelessMultinomial`: classes drawn with the probabilities that logits give.
//!
//! `logits` is [batch, classes], the output [batch, num_samples]: for each row classes with probabilities in proportion
//! to `exp(logits)`, summed in double precision after subtracting the row's largest finite logit. Logits that are not
//! finite have probability 0; a row without a finite one gives the number of classes. The numbers are those that
//! TensorFlow draws on one thread (on several, TensorFlow's depend on how it shares out the rows).

use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::philox::double;
use oplink_ops::philox::{Philox, Singles};
use oplink_ops::random::draws::{BLOCKS_PER_OUTPUT, Generator, from_seed};
use oplink_ops::random::{Multinomial, MultinomialInputs, MultinomialOutputs, StatelessMultinomial};

/// Fewest samples that are worth a thread's while.
const GRAIN: usize = 1 << 10;

/// `Multinomial` with the generator of the node.
pub struct MultinomialCpu(Generator);

#[kernel(Multinomial, device = CPU, T = [floats], output_dtype = any, host_memory = [num_samples])]
impl Kernel for MultinomialCpu {
    type Op = Multinomial;

    fn new(construction: Construction<'_, Multinomial>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(&self, inputs: MultinomialInputs<'_>, outputs: &mut MultinomialOutputs<'_>, env: Env<'_>) -> Result<()> {
        let MultinomialInputs { logits, num_samples } = inputs;
        let extents = Extents::new(&logits, &num_samples)?;
        // bounded: numbers of a sequence, no memory
        draw(&logits, extents, |blocks| self.0.reserve(blocks), &mut outputs.output, &env)
    }
}

/// `StatelessMultinomial` of every floating dtype.
#[kernel(StatelessMultinomial, device = CPU, T = [floats], Tseed = any, output_dtype = any,
         host_memory = [num_samples, seed])]
pub fn stateless_multinomial_cpu(
    logits: &Tensor,
    num_samples: &Tensor,
    seed: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (start, extents) = (from_seed(seed)?, Extents::new(logits, num_samples)?);
    draw(logits, extents, |_| start, &mut output, &env)
}

#[derive(Clone, Copy)]
struct Extents {
    batch: usize,
    classes: usize,
    samples: usize,
}

impl Extents {
    fn new(logits: &Tensor, samples: &Tensor) -> Result<Self> {
        let &[batch, classes] = logits.shape().dims() else {
            bail!("logits must be a matrix, its shape is {}", logits.shape())
        };
        ensure!(samples.rank() == 0, "num_samples must be a scalar, its shape is {}", samples.shape());
        let samples = samples.to_scalar::<i32>()?;
        let Ok(samples) = usize::try_from(samples) else { bail!("num_samples must be >= 0, it is {samples}") };
        ensure!(classes > 0, "logits must have a class at least, its shape is {}", logits.shape());
        Ok(Self { batch, classes, samples })
    }
}

/// Draws from the position that `reserve` gives for so many blocks.
fn draw(
    logits: &Tensor,
    e: Extents,
    reserve: impl FnOnce(u64) -> Philox,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let out = output.allocate([e.batch, e.samples])?;
    if out.num_elements() > 0 {
        let start = reserve((e.batch * e.samples.next_multiple_of(4) * 2) as u64 * BLOCKS_PER_OUTPUT);
        let logits = as_doubles(logits)?;
        match out.dtype() {
            DType::Int32 => fill(env, &logits, e, start, out.as_mut_slice()?, |class| class as i32),
            _ => fill(env, &logits, e, start, out.as_mut_slice()?, |class| class as i64),
        }
    }
    Ok(())
}

fn as_doubles(logits: &Tensor) -> Result<Vec<f64>> {
    Ok(match logits.dtype() {
        DType::Half => logits.as_slice::<f16>()?.iter().map(|v| v.to_f64()).collect(),
        DType::BFloat16 => logits.as_slice::<bf16>()?.iter().map(|v| v.to_f64()).collect(),
        DType::Float => logits.as_slice::<f32>()?.iter().map(|&v| f64::from(v)).collect(),
        _ => logits.as_slice::<f64>()?.to_vec(),
    })
}

fn fill<T: Send>(
    env: &Env<'_>,
    logits: &[f64],
    e: Extents,
    start: Philox,
    out: &mut [T],
    class: impl Fn(usize) -> T + Sync,
) {
    for_each_row(env, out, e.samples, GRAIN, &|row, samples| {
        let cumulative = cumulative(&logits[row * e.classes..][..e.classes]);
        let total = cumulative[e.classes - 1];
        let mut numbers = Singles::starting_at(start, (row * e.samples * 2) as u64);
        for sample in env.watch(samples) {
            let sought = double(numbers.draw(), numbers.draw()) * total;
            *sample = class(cumulative.partition_point(|&sum| sum <= sought));
        }
    });
}

/// For each class the sum of the weights up to it.
fn cumulative(logits: &[f64]) -> Vec<f64> {
    let largest = logits.iter().copied().filter(|logit| logit.is_finite()).fold(f64::MIN, f64::max);
    let mut total = 0.0;
    let weights = logits.iter().map(|&logit| if logit.is_finite() { (logit - largest).exp() } else { 0.0 });
    weights
        .map(|weight| {
            total += weight;
            total
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, check_error, run, run_in};

    #[test]
    fn threads_change_nothing() {
        let run = |threads| {
            let logits = Tensor::from_vec([70, 3], (0..210).map(|i| (i % 7) as f32).collect()).unwrap();
            let inputs = vec![logits, 41.into(), Tensor::from([1i64, 2])];
            run_in(&Threads(threads), "StatelessMultinomial", &[], inputs).unwrap().remove(0)
        };
        assert_eq!(run(1).as_bytes().unwrap(), run(3).as_bytes().unwrap());
    }

    #[test]
    fn logits_that_are_not_finite_are_never_drawn() {
        let logits =
            Tensor::from_vec([2, 3], vec![f32::NAN, f32::INFINITY, -f32::INFINITY, 0.0, f32::INFINITY, f32::NAN]);
        let out = run("Multinomial", &[], vec![logits.unwrap(), 2.into()]).unwrap().remove(0);
        assert_eq!(out.as_slice::<i64>().unwrap(), [3, 3, 0, 0]);
    }

    #[test]
    fn wrong_shapes_are_errors() {
        check_error("Multinomial", [[1.0f32].into(), 2.into()], "logits must be a matrix");
        check_error("Multinomial", [Tensor::full([1, 1], 0f32), (-2).into()], "num_samples must be >= 0, it is -2");
        check_error("Multinomial", [Tensor::full([1, 0], 0f32), 2.into()], "logits must have a class");
    }
}
