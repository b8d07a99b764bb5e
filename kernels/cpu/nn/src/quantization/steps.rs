//! Ranges of fake quantization: their steps include 0.

use oplink::prelude::*;

/// A range whose steps include 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub(super) least: f32,
    pub(super) most: f32,
    scale: f32,
    /// Where it is known without rounding twice.
    steps_a_unit: Option<f32>,
}

impl Steps {
    /// For the attrs `num_bits` and `narrow_range`, which leaves out the lowest step.
    ///
    /// # Errors
    /// `num_bits` outside 2 to 16.
    pub(super) fn new(bits: i64, narrow_range: bool, min: f32, max: f32) -> Result<Self> {
        ensure!((2..=16).contains(&bits), "num_bits must be between 2 and 16, inclusive, it is {bits}");
        let (lowest, highest) = (f32::from(u8::from(narrow_range)), ((1 << bits) - 1) as f32);
        let scale = (max - min) / (highest - lowest);
        let zero = (lowest - min / scale).round();
        let zero = if zero < lowest { lowest } else { zero };
        let zero = if zero > highest { highest } else { zero };
        Ok(Self { least: (lowest - zero) * scale, most: (highest - zero) * scale, scale, steps_a_unit: None })
    }

    /// The same steps, whose number a unit is not rounded twice.
    pub(super) fn counted(self, min: f32, max: f32) -> Self {
        Self { steps_a_unit: Some(((self.most - self.least) / self.scale).round() / (max - min)), ..self }
    }

    /// The nearest step to `x`; NaN stays.
    pub(super) fn round(self, x: f32) -> f32 {
        let in_steps = |x: f32| self.steps_a_unit.map_or_else(|| x / self.scale, |steps| x * steps);
        let zero = (in_steps(-self.least) + 0.5).floor();
        let x = if x > self.most { self.most } else { x };
        let x = if x < self.least { self.least } else { x };
        (in_steps(x - self.least) - zero + 0.5).floor() * self.scale
    }
}

/// The steps of a range in tensors; `None` where both ends are 0, and so all values.
pub(super) fn given(bits: i64, narrow_range: bool, min: f32, max: f32) -> Result<Option<Steps>> {
    let steps = Steps::new(bits, narrow_range, min, max)?;
    Ok(if min == 0.0 && max == 0.0 { None } else { Some(steps) })
}

/// The ends of a range, which have to be scalars.
pub(super) fn scalars(min: &Tensor, max: &Tensor) -> Result<(f32, f32)> {
    for (name, end) in [("min", min), ("max", max)] {
        ensure!(end.rank() == 0, "{name} must be a scalar, its rank is {}", end.rank());
    }
    Ok((min.to_scalar()?, max.to_scalar()?))
}

/// The ranges of the channels of `inputs`, its last axis.
pub(super) fn channels<'a>(inputs: &Shape, min: &'a Tensor, max: &'a Tensor) -> Result<(&'a [f32], &'a [f32])> {
    let Some(&count) = inputs.last() else { bail!("inputs must have channels, their shape is {inputs}") };
    for (name, end) in [("min", min), ("max", max)] {
        ensure!(
            end.shape().dims() == [count],
            "{name} must be a vector of {count} channels, its shape is {}",
            end.shape()
        );
    }
    Ok((min.as_slice()?, max.as_slice()?))
}
