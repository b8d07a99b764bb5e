//! `RandomShuffle`: the rows of a tensor in random order.
//!
//! Rows lie along the first axis; scalars and tensors of one row stay as they are. Every dtype. Each position in turn is
//! exchanged with a later one or itself, chosen by the remainder of one drawn number: TensorFlow's order for the same
//! seeds.

use super::generator::Generator;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, CopyBackend, Host};
use oplink_cpu_support::philox::{Philox, Singles};
use oplink_ops::random::{RandomShuffle, RandomShuffleInputs, RandomShuffleOutputs};

/// `RandomShuffle` with the generator of the node.
pub struct RandomShuffleCpu(Generator);

#[kernel(RandomShuffle, device = CPU, T = any)]
impl Kernel for RandomShuffleCpu {
    type Op = RandomShuffle;

    fn new(construction: Construction<'_, RandomShuffle>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: RandomShuffleInputs<'_>,
        outputs: &mut RandomShuffleOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        shuffle::<Host>(inputs.value, &self.0, &mut outputs.output, &env)
    }
}

/// `RandomShuffle` on any device, from the sequence of the node, in a run of a raw kernel.
///
/// # Errors
/// As [`CopyBackend::copy_axes`].
pub fn shuffle_by<B: CopyBackend>(context: &mut KernelContext<'_>, generator: &Generator) -> Result<()> {
    let (mut inputs, mut outputs, env) = context.split();
    shuffle::<B>(inputs.one(0, "value")?, generator, &mut outputs.one(0, "output")?, &env)
}

/// Sets the output to the rows of `value` in random order.
fn shuffle<B: CopyBackend>(
    value: Input<'_>,
    generator: &Generator,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let rows = value.shape().first().copied().unwrap_or(1);
    if rows <= 1 || value.num_elements() <= 1 {
        output.set(value.take());
        return Ok(());
    }
    let start = generator.reserve((rows as u64 - 1).div_ceil(Philox::BLOCK as u64));
    let width = value.num_elements() / rows;
    let order: Vec<isize> = permutation(rows, start).into_iter().map(|row| (row * width) as isize).collect();
    let axes = [Axis::Table(&order), Axis::Strided { count: width, stride: 1 }];
    B::copy_axes(*env, output.allocate(value.shape().clone())?, &value, 0, &axes)
}

/// The rows in the order in which they are written.
fn permutation(rows: usize, start: Philox) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    let mut numbers = Singles::new(start);
    for position in 0..rows - 1 {
        let rest = (rows - position) as u32;
        order.swap(position, position + (numbers.draw() % rest) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn shuffled(value: Tensor) -> Tensor {
        run("RandomShuffle", &[("seed", 1.into())], vec![value]).unwrap().remove(0)
    }

    #[test]
    fn order_is_that_of_tensorflow() {
        let value = Tensor::from((0..10).collect::<Vec<i32>>());
        assert_eq!(shuffled(value).as_slice::<i32>().unwrap(), [2, 4, 0, 8, 9, 1, 5, 6, 3, 7]);
    }

    #[test]
    fn rows_stay_whole() {
        let value = Tensor::from_vec([10, 2], (0..20).map(|i| TString::from(i.to_string())).collect()).unwrap();
        let out = shuffled(value);
        assert_eq!(out.as_slice::<TString>().unwrap()[..4], ["4", "5", "8", "9"].map(TString::from));
        assert_eq!(shuffled(3.into()).to_scalar::<i32>().unwrap(), 3);
        assert_eq!(shuffled(Tensor::zeros(DType::Bool, [3, 0]).unwrap()).shape().dims(), [3, 0]);
    }
}
