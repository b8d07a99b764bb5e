//! Fake quantisation: values rounded to the steps of a quantised range, for the `FakeQuant` ops.
//!
//! The range is shifted so that 0 is a step: with `scale = (max - min) / (steps - 1)` steps stand at multiples of `scale`.

use oplink::prelude::*;

use crate::support::elementwise::unary;

/// A range whose steps include 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
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
    pub(super) fn new(context: &KernelContext<'_>, min: f32, max: f32) -> Result<Self> {
        let bits = context.attr::<i64>("num_bits")?;
        ensure!((2..=16).contains(&bits), "num_bits must be between 2 and 16, inclusive, it is {bits}");
        let (lowest, highest) = (f32::from(u8::from(context.attr::<bool>("narrow_range")?)), ((1 << bits) - 1) as f32);
        let scale = (max - min) / (highest - lowest);
        let zero = (lowest - min / scale).round();
        let zero = if zero < lowest { lowest } else { zero };
        let zero = if zero > highest { highest } else { zero };
        Ok(Self { least: (lowest - zero) * scale, most: (highest - zero) * scale, scale, steps_a_unit: None })
    }

    /// The same steps for a range that attrs give: their number a unit is not rounded twice.
    pub(super) fn of_attrs(self, min: f32, max: f32) -> Self {
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

/// Sets output 0 to the steps nearest to the values of input 0.
pub(super) fn quantize(context: &mut KernelContext<'_>, steps: Steps) -> Result<()> {
    unary::<f32>(context, move |x| steps.round(x))
}
