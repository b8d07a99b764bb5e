//! The ops whose node holds a generator: its position is in host memory and moves on with each run, as on the CPU.

use oplink::prelude::*;
use oplink_ops::random::draws::{Generator, Normal, Truncated, Uniform, draw_from_node, draw_integers};
use oplink_ops::random::*;

use crate::movement::Device;

/// A kernel with the generator of its node, for the numbers of a distribution.
macro_rules! from_generator {
    ($(#[kernel($op:ident $($keys:tt)*)]
        $name:ident = $distribution:ident of ($inputs:ident) -> $outputs:ident;
    )*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the generator of the node.")]
        #[derive(Debug)]
        pub struct $name(Generator);

        #[oplink::kernel($op $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
            }

            fn compute(&self, inputs: $inputs<'_>, outputs: &mut $outputs<'_>, env: Env<'_>) -> Result<()> {
                draw_from_node::<Device, $distribution>(&inputs.shape, &self.0, &mut outputs.output, env)
            }
        }
    )*};
}

from_generator! {
    #[kernel(RandomUniform, device = GPU, dtype = any, T = any, host_memory = [shape])]
    RandomUniformGpu = Uniform of (RandomUniformInputs) -> RandomUniformOutputs;
    #[kernel(RandomStandardNormal, device = GPU, dtype = any, T = any, host_memory = [shape])]
    RandomStandardNormalGpu = Normal of (RandomStandardNormalInputs) -> RandomStandardNormalOutputs;
    #[kernel(TruncatedNormal, device = GPU, dtype = any, T = any, host_memory = [shape])]
    TruncatedNormalGpu = Truncated of (TruncatedNormalInputs) -> TruncatedNormalOutputs;
}

/// `RandomUniformInt` with the generator of the node.
#[derive(Debug)]
pub struct RandomUniformIntGpu(Generator);

#[kernel(RandomUniformInt, device = GPU, Tout = any, T = any, host_memory = [shape, minval, maxval])]
impl Kernel for RandomUniformIntGpu {
    type Op = RandomUniformInt;

    fn new(construction: Construction<'_, RandomUniformInt>) -> Result<Self> {
        Ok(Self(Generator::from_seeds(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: RandomUniformIntInputs<'_>,
        outputs: &mut RandomUniformIntOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let RandomUniformIntInputs { shape, minval, maxval } = inputs;
        let reserve = |count| Ok(self.0.reserve_outputs(count));
        draw_integers::<Device>(&shape, (&minval, &maxval), reserve, &mut outputs.output, env)
    }
}
