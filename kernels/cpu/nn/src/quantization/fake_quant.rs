//! `FakeQuantWithMinMaxArgs` and `FakeQuantWithMinMaxVars`: values rounded to the steps of a quantised range.
//!
//! The range from `min` to `max`, attrs or scalars, is shifted so that 0 is one of its `2^num_bits` steps (one less
//! with `narrow_range`): with `scale = (max - min) / (steps - 1)` steps are at multiples of `scale`. Values outside
//! become the nearest end. NaN stays. All values become 0 where the scalars `min` and `max` are 0.

use oplink::{KernelEnv, prelude::*};
use oplink_cpu_support::elementwise::{BLOCK, GRAIN};
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::nn::{FakeQuantWithMinMaxArgs, FakeQuantWithMinMaxVars};
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
    let steps = Steps::new(num_bits, narrow_range, min, max)?.of_attrs(min, max);
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
    for (name, end) in [("min", min), ("max", max)] {
        ensure!(end.rank() == 0, "{name} must be a scalar, its rank is {}", end.rank());
    }
    let (min, max) = (min.to_scalar::<f32>()?, max.to_scalar::<f32>()?);
    let steps = Steps::new(num_bits, narrow_range, min, max)?;
    let is_zero = min == 0.0 && max == 0.0;
    quantize(inputs, if is_zero { None } else { Some(steps) }, &mut outputs, &env)
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

/// A range whose steps include 0.
#[derive(Debug, Clone, Copy)]
struct Steps {
    least: f32,
    most: f32,
    scale: f32,
    /// Where it is known without rounding twice.
    steps_a_unit: Option<f32>,
}

impl Steps {
    /// For the attrs `num_bits` and `narrow_range`, which leaves out the lowest step.
    ///
    /// # Errors
    /// `num_bits` outside 2 to 16.
    fn new(bits: i64, narrow_range: bool, min: f32, max: f32) -> Result<Self> {
        ensure!((2..=16).contains(&bits), "num_bits must be between 2 and 16, inclusive, it is {bits}");
        let (lowest, highest) = (f32::from(u8::from(narrow_range)), ((1 << bits) - 1) as f32);
        let scale = (max - min) / (highest - lowest);
        let zero = (lowest - min / scale).round();
        let zero = if zero < lowest { lowest } else { zero };
        let zero = if zero > highest { highest } else { zero };
        Ok(Self { least: (lowest - zero) * scale, most: (highest - zero) * scale, scale, steps_a_unit: None })
    }

    /// The same steps for a range that attrs give: their number a unit is not rounded twice.
    fn of_attrs(self, min: f32, max: f32) -> Self {
        Self { steps_a_unit: Some(((self.most - self.least) / self.scale).round() / (max - min)), ..self }
    }

    /// The nearest step to `x`; NaN stays.
    fn round(self, x: f32) -> f32 {
        let in_steps = |x: f32| self.steps_a_unit.map_or_else(|| x / self.scale, |steps| x * steps);
        let zero = (in_steps(-self.least) + 0.5).floor();
        let x = if x > self.most { self.most } else { x };
        let x = if x < self.least { self.least } else { x };
        (in_steps(x - self.least) - zero + 0.5).floor() * self.scale
    }
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
}
