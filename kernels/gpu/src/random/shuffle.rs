//! `RandomShuffle`: the order is drawn on the host, as every position depends on those before it; rows are moved within
//! the device's memory.

use oplink::prelude::*;
use oplink_ops::random::draws::{Generator, shuffle};
use oplink_ops::random::{RandomShuffle, RandomShuffleInputs, RandomShuffleOutputs};

use crate::movement::Device;

/// `RandomShuffle` with the generator of the node.
#[derive(Debug)]
pub struct RandomShuffleGpu(Generator);

#[kernel(RandomShuffle, device = GPU, T = [numbers, bool])]
impl Kernel for RandomShuffleGpu {
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
        shuffle::<Device>(inputs.value, &self.0, &mut outputs.output, env)
    }
}
