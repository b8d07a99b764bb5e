//! `Multinomial` and `StatelessMultinomial`: classes drawn with the probabilities that logits give.
//!
//! `logits` is [batch, classes], the output [batch, num_samples]: for each row classes with probabilities in proportion to
//! `exp(logits)`, summed in double precision after subtracting the row's largest finite logit. Logits that are not finite have
//! probability 0; a row without a finite one gives the number of classes. The numbers are those that TensorFlow draws on one
//! thread (on several, TensorFlow's depend on how it shares out the rows).

use oplink::prelude::*;

use super::generator::{BLOCKS_PER_OUTPUT, Generator, from_seed};
use super::uniform::double;
use crate::support::parallel::for_each_row;
use crate::support::philox::{Philox, Singles};

/// Fewest samples that are worth a thread's while.
const GRAIN: usize = 1 << 10;

/// Draws classes from the sequence of the node.
#[op("Multinomial",
     no_gradient,
     input = "logits: T",
     input = "num_samples: int32",
     output = "output: output_dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: realnumbertype",
     attr = "output_dtype: {int32, int64} = DT_INT64",
     stateful,
     shape = shape_fns::multinomial)]
pub struct Multinomial;

/// Draws classes, a function of the inputs.
#[op("StatelessMultinomial",
     no_gradient,
     input = "logits: T",
     input = "num_samples: int32",
     input = "seed: Tseed",
     output = "output: output_dtype",
     attr = "T: realnumbertype",
     attr = "Tseed: {int32, int64} = DT_INT64",
     attr = "output_dtype: {int32, int64} = DT_INT64",
     shape = shape_fns::multinomial)]
pub struct StatelessMultinomial;

/// `Multinomial` with the generator of the node.
pub struct MultinomialCpu(Generator);

#[kernel(Multinomial, device = CPU, T = [floats], output_dtype = any, host_memory = [num_samples])]
impl Kernel for MultinomialCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Generator::new(*construction).map(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let extents = Extents::new(context)?;
        draw(context, extents, |blocks| self.0.reserve(blocks))
    }
}

/// `StatelessMultinomial` of every floating dtype.
#[kernel(StatelessMultinomial, device = CPU, T = [floats], Tseed = any, output_dtype = any,
         host_memory = [num_samples, seed])]
pub fn stateless_multinomial_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (start, extents) = (from_seed(context.input(2))?, Extents::new(context)?);
    draw(context, extents, |_| start)
}

#[derive(Clone, Copy)]
struct Extents {
    batch: usize,
    classes: usize,
    samples: usize,
}

impl Extents {
    fn new(context: &KernelContext<'_>) -> Result<Self> {
        let (logits, samples) = (context.input(0), context.input(1));
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
fn draw(context: &mut KernelContext<'_>, e: Extents, reserve: impl FnOnce(u64) -> Philox) -> Result<()> {
    let mut out = context.allocate_output(0, [e.batch, e.samples])?;
    if out.num_elements() > 0 {
        let start = reserve((e.batch * e.samples.next_multiple_of(4) * 2) as u64 * BLOCKS_PER_OUTPUT);
        let logits = as_doubles(context.input(0))?;
        match out.dtype() {
            DType::Int32 => fill(context, &logits, e, start, out.as_mut_slice()?, |class| class as i32),
            _ => fill(context, &logits, e, start, out.as_mut_slice()?, |class| class as i64),
        }
    }
    context.set_output(0, out);
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
    context: &KernelContext<'_>,
    logits: &[f64],
    e: Extents,
    start: Philox,
    out: &mut [T],
    class: impl Fn(usize) -> T + Sync,
) {
    for_each_row(context.env(), out, e.samples, GRAIN, &|row, samples| {
        let cumulative = cumulative(&logits[row * e.classes..][..e.classes]);
        let total = cumulative[e.classes - 1];
        let mut numbers = Singles::starting_at(start, (row * e.samples * 2) as u64);
        for sample in samples {
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
    use crate::support::testing::{Threads, check_error, run, run_in};

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
