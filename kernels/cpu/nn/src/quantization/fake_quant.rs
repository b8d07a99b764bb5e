//! `FakeQuantWithMinMaxArgs`, `FakeQuantWithMinMaxVars` and `FakeQuantWithMinMaxVarsPerChannel`: values rounded to the
//! steps of a quantised range, in the last a range for each channel.
//!
//! The range from `min` to `max`, attrs or scalars, is shifted so that 0 is one of its `2^num_bits` steps (one less
//! with `narrow_range`): with `scale = (max - min) / (steps - 1)` steps are at multiples of `scale`. Values outside
//! become the nearest end. NaN stays. All values become 0 where the scalars `min` and `max` are 0.

use super::steps::{self, Steps};
use oplink::memory::try_collect;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_support::elementwise::{BLOCK, GRAIN};
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::nn::{FakeQuantWithMinMaxArgs, FakeQuantWithMinMaxVars, FakeQuantWithMinMaxVarsPerChannel};
use oplink_vmath::loops::map;

/// `FakeQuantWithMinMaxArgs` in f32.
#[kernel(FakeQuantWithMinMaxArgs, device = CPU)]
pub fn fake_quant_with_min_max_args_cpu(
    inputs: Input<'_>,
    min: f32,
    max: f32,
    num_bits: i64,
    narrow_range: bool,
    mut outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(min < max, "min has to be smaller than max, they are {min} and {max}");
    let steps = Steps::new(num_bits, narrow_range, min, max)?.counted(min, max);
    quantize(inputs, Some(steps), &mut outputs, &env)
}

/// `FakeQuantWithMinMaxVars` in f32.
#[kernel(FakeQuantWithMinMaxVars, device = CPU)]
pub fn fake_quant_with_min_max_vars_cpu(
    inputs: Input<'_>,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    mut outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (min, max) = steps::scalars(min, max)?;
    quantize(inputs, steps::given(num_bits, narrow_range, min, max)?, &mut outputs, &env)
}

/// `FakeQuantWithMinMaxVarsPerChannel` in f32.
#[kernel(FakeQuantWithMinMaxVarsPerChannel, device = CPU)]
pub fn fake_quant_with_min_max_vars_per_channel_cpu(
    inputs: Input<'_>,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    mut outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (min, max) = steps::channels(inputs.shape(), min, max)?;
    let given = |(&min, &max)| Ok(steps::given(num_bits, narrow_range, min, max)?.map(|steps| steps.counted(min, max)));
    let steps = try_collect(min.iter().zip(max).map(given))?.into_iter().collect::<Result<Vec<Option<Steps>>>>()?;
    let shape = inputs.shape().clone();
    let (output, inputs) = outputs.forward(inputs, &shape)?;
    let values = output.as_mut_slice::<f32>()?;
    if let Some(inputs) = inputs {
        values.copy_from_slice(inputs.as_slice::<f32>()?);
    }
    if !values.is_empty() {
        for_each_chunk(&env, values, GRAIN, steps.len(), &|_, part| {
            for (value, steps) in part.iter_mut().zip(steps.iter().cycle()) {
                *value = steps.map_or(0.0, |steps| steps.round(*value));
            }
        });
    }
    Ok(())
}

/// Sets `outputs` to the steps nearest to the values of `inputs`, to zeros without steps.
fn quantize(inputs: Input<'_>, steps: Option<Steps>, outputs: &mut OutputSlot<'_>, env: &dyn KernelEnv) -> Result<()> {
    let shape = inputs.shape().clone();
    let (output, inputs) = outputs.forward(inputs, &shape)?;
    let values = output.as_mut_slice::<f32>()?;
    let Some(steps) = steps else {
        values.fill(0.0);
        return Ok(());
    };
    if let Some(inputs) = inputs {
        values.copy_from_slice(inputs.as_slice::<f32>()?);
    }
    for_each_chunk(env, values, GRAIN, 1, &|_, part| {
        let mut copy = [0f32; BLOCK];
        for values in part.chunks_mut(BLOCK) {
            let copy = &mut copy[..values.len()];
            copy.copy_from_slice(values);
            map(copy, values, |x| steps.round(x));
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn values_become_steps() {
        let attrs = [("min", (-1.0).into()), ("max", 2.0.into()), ("num_bits", 2.into())];
        let out =
            run("FakeQuantWithMinMaxArgs", &attrs, vec![Tensor::from_slice(&[-7f32, -0.4, 0.6, 1.4, 9.0])]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.0, 0.0, 1.0, 1.0, 2.0]);
        assert!(run("FakeQuantWithMinMaxArgs", &[("min", 7.0.into())], vec![Tensor::scalar(1f32)]).is_err());
        assert!(run("FakeQuantWithMinMaxArgs", &[("num_bits", 17.into())], vec![Tensor::scalar(1f32)]).is_err());
    }

    #[test]
    fn values_become_steps_of_scalars() {
        let quantize = |range: [f32; 2]| {
            let inputs =
                vec![Tensor::from_slice(&[-7f32, -0.4, 0.6]), Tensor::scalar(range[0]), Tensor::scalar(range[1])];
            run("FakeQuantWithMinMaxVars", &[("num_bits", 2.into())], inputs).unwrap()[0]
                .as_slice::<f32>()
                .unwrap()
                .to_vec()
        };
        assert_eq!(quantize([-1.0, 2.0]), [-1.0, 0.0, 1.0]);
        assert_eq!(quantize([0.0, 0.0]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn channels_have_ranges_of_their_own() {
        let inputs = Tensor::from_vec([2, 3], vec![-7f32, -0.4, 5.0, 0.6, 1.4, 9.0]).unwrap();
        let ends = [Tensor::from_slice(&[-1f32, -1.0, 0.0]), Tensor::from_slice(&[2f32, 0.5, 0.0])];
        let [min, max] = ends;
        let attrs = [("num_bits", 2.into())];
        let run =
            |inputs: Tensor| run("FakeQuantWithMinMaxVarsPerChannel", &attrs, vec![inputs, min.clone(), max.clone()]);
        let out = run(inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.0, -0.5, 0.0, 1.0, 0.5, 0.0]);
        assert!(run(Tensor::scalar(1f32)).is_err());
        assert!(run(Tensor::full([2], 1f32)).is_err());
    }
}
