//! `RandomShuffle`, `StatelessShuffle`: the rows of a tensor in random order.
//!
//! Rows lie along the first axis; scalars and tensors of one row stay as they are. Every dtype. Each position in turn
//! is exchanged with a later one or itself, chosen by the remainder of one drawn number: TensorFlow's order for the
//! same seeds.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::random::draws::{Generator, KeyCounter, from_key_and_counter, shuffle, shuffle_from};
use oplink_ops::random::{RandomShuffle, RandomShuffleInputs, RandomShuffleOutputs, StatelessShuffle};

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
        shuffle::<Host>(inputs.value, &self.0, &mut outputs.output, env)
    }
}

/// `StatelessShuffle` of every dtype. The algorithm is checked even where nothing is shuffled.
#[kernel(StatelessShuffle, device = CPU, T = any)]
pub fn stateless_shuffle_cpu(
    value: Input<'_>,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = from_key_and_counter(KeyCounter { key, counter, alg }, 1)?;
    shuffle_from::<Host>(value, |_| start, &mut output, env)
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
