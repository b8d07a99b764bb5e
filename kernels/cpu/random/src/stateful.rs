//! Random numbers whose position stands in a variable, and those that have no position.

use super::filling::Host;
use super::position::{Algorithm, reserve};
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{
    Bits, Normal, RandomBackend, Truncated, Uniform, draw_integers, integers_between, output_shape, write,
};
use oplink_ops::random::{
    NonDeterministicInts, RngReadAndSkip, RngSkip, StatefulStandardNormal, StatefulStandardNormalV2,
    StatefulTruncatedNormal, StatefulUniform, StatefulUniformFullInt, StatefulUniformInt,
};

/// Sets the output to numbers of the distribution `D`, drawn from the position in a variable.
fn draw<D: Default>(
    (resource, algorithm): (&Input<'_>, Algorithm<'_>),
    shape: &Tensor,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()>
where
    Host: RandomBackend<D>,
{
    let shape = output_shape(shape)?;
    let start = reserve(resource, algorithm, shape.num_elements() as u64, &env)?;
    write::<Host, D>(output, env, shape, (start, &D::default()))
}

/// Declares kernels that differ in their distribution alone.
macro_rules! drawn_from_variables {
    ($($(#[doc = $doc:literal])* #[kernel($op:ident $($keys:tt)*)] $name:ident: $distribution:ty;)*) => {$(
        $(#[doc = $doc])*
        #[oplink::kernel($op $($keys)*)]
        pub fn $name(
            resource: Input<'_>,
            algorithm: &Tensor,
            shape: &Tensor,
            mut output: OutputSlot<'_>,
            env: Env<'_>,
        ) -> Result<()> {
            draw::<$distribution>((&resource, Algorithm::Input(algorithm)), shape, &mut output, env)
        }
    )*};
}

drawn_from_variables! {
    /// `StatefulUniform` of the floating dtypes.
    #[kernel(StatefulUniform, device = CPU, dtype = [floats], shape_dtype = any,
             host_memory = [resource, algorithm, shape])]
    stateful_uniform_cpu: Uniform;

    /// `StatefulStandardNormalV2` of the floating dtypes.
    #[kernel(StatefulStandardNormalV2, device = CPU, dtype = [floats], shape_dtype = any,
             host_memory = [resource, algorithm, shape])]
    stateful_standard_normal_v2_cpu: Normal;

    /// `StatefulTruncatedNormal` of the floating dtypes.
    #[kernel(StatefulTruncatedNormal, device = CPU, dtype = [floats], shape_dtype = any,
             host_memory = [resource, algorithm, shape])]
    stateful_truncated_normal_cpu: Truncated;

    /// `StatefulUniformFullInt` of integers of 4 and 8 bytes.
    #[kernel(StatefulUniformFullInt, device = CPU, dtype = [i32, i64, u32, u64], shape_dtype = any,
             host_memory = [resource, algorithm, shape])]
    stateful_uniform_full_int_cpu: Bits;
}

/// `StatefulStandardNormal` of the floating dtypes.
#[kernel(StatefulStandardNormal, device = CPU, dtype = [floats], shape_dtype = any, host_memory = [resource, shape])]
pub fn stateful_standard_normal_cpu(
    resource: Input<'_>,
    shape: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw::<Normal>((&resource, Algorithm::Variable), shape, &mut output, env)
}

/// `StatefulUniformInt` of int32 and int64.
#[kernel(StatefulUniformInt, device = CPU, dtype = [i32, i64], shape_dtype = any,
         host_memory = [resource, algorithm, shape, minval, maxval])]
pub fn stateful_uniform_int_cpu(
    resource: Input<'_>,
    algorithm: &Tensor,
    shape: &Tensor,
    minval: &Tensor,
    maxval: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    integers_between(minval, maxval)?;
    let start = |outputs| reserve(&resource, Algorithm::Input(algorithm), outputs as u64, &env);
    draw_integers::<Host>(shape, (minval, maxval), start, &mut output, env)
}

/// `RngSkip`.
#[kernel(RngSkip, device = CPU, host_memory = [resource, algorithm, delta])]
pub fn rng_skip_cpu(resource: Input<'_>, algorithm: &Tensor, delta: i64, env: Env<'_>) -> Result<()> {
    reserve(&resource, Algorithm::Input(algorithm), delta as u64, &env).map(drop)
}

/// `RngReadAndSkip`.
#[kernel(RngReadAndSkip, device = CPU, host_memory = [resource, alg, delta])]
pub fn rng_read_and_skip_cpu(resource: Input<'_>, alg: &Tensor, delta: u64, env: Env<'_>) -> Result<Tensor> {
    let position = reserve(&resource, Algorithm::Input(alg), delta, &env)?;
    let (low, high) = (position.counter() as i64, (position.counter() >> 64) as i64);
    Ok([low, high, position.key() as i64].into())
}

/// `NonDeterministicInts` of integers of 4 and 8 bytes.
#[kernel(NonDeterministicInts, device = CPU, dtype = [i32, i64, u32, u64], shape_dtype = any, host_memory = [shape])]
pub fn non_deterministic_ints_cpu(shape: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    write::<Host, Bits>(&mut output, env, output_shape(shape)?, (Philox::from_seeds(0, 0), &Bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink::resource::{ResourceInfo, Variable};
    use oplink_cpu_support::stepping::InStep;

    fn variable(words: &[i64]) -> Tensor {
        let handle = ResourceHandle::new(ResourceInfo { name: "state".into(), ..Default::default() });
        let made = handle.get_or_create(|| Ok(Variable::new(DType::Int64, PartialShape::unknown()))).unwrap();
        made.assign(Tensor::from_slice(words)).unwrap();
        Tensor::scalar(handle)
    }

    fn words(handle: &Tensor) -> Vec<i64> {
        let variable = handle.to_scalar::<ResourceHandle>().unwrap().get::<Variable>().unwrap();
        variable.read().unwrap().as_slice().unwrap().to_vec()
    }

    #[test]
    fn positions_and_numbers_are_those_of_tensorflow() {
        let (step, state) = (InStep::new(1), variable(&[1, 2, 3]));
        let inputs = || vec![state.clone(), 1i64.into(), [3i64].into()];
        let out = step.one("StatefulUniform", &[], inputs()).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.459_011_67, 0.533_424_85, 0.962_773_2]);
        assert_eq!(words(&state), [769, 2, 3]);
        step.run("RngSkip", &[], vec![state.clone(), 1i64.into(), (-3i64).into()]).unwrap();
        assert_eq!(words(&state), [1, 2, 3]);
        let read = step.one("RngReadAndSkip", &[], vec![state.clone(), 3i32.into(), 2u64.into()]).unwrap();
        assert_eq!(read.as_slice::<i64>().unwrap(), [1, 2, 3]);
        assert_eq!(words(&state), [513, 2, 3]);
    }

    #[test]
    fn wrong_states_and_algorithms_are_errors() {
        let step = InStep::new(1);
        let failure = |state: &[i64], algorithm: i64| {
            let inputs = vec![variable(state), algorithm.into(), [3i64].into()];
            step.one("StatefulUniform", &[], inputs).unwrap_err()
        };
        assert!(failure(&[1, 2], 1).to_string().contains("at least 3 words"));
        assert!(failure(&[1, 2, 3], 9).to_string().contains("algorithm must be 1"));
        assert_eq!(failure(&[1, 2, 3], 2).code(), oplink::Code::Unimplemented);
        let inputs = vec![variable(&[1, 7, 8, 9]), [2i64].into()];
        assert_eq!(step.one("StatefulStandardNormal", &[], inputs).unwrap().num_elements(), 2);
        let inputs = vec![variable(&[1, 7, 8]), [2i64].into()];
        assert!(step.one("StatefulStandardNormal", &[], inputs).unwrap_err().to_string().contains("at least 4 words"));
    }
}
