//! `QuantizeAndDequantizeV2`: values rounded to the steps of a quantised range that is symmetric about 0.
//!
//! The range is `input_min` to `input_max`, scalars, with `range_given`, else from the smallest to the largest value of
//! `input`, or of each slice along `axis` where that is not -1. Steps are multiples of the larger of `min / lowest` and
//! `max / highest`, where `lowest` and `highest` are those of integers of `num_bits` (with a sign where `signed_input`,
//! one step less below with `narrow_range`). Values outside a given range become its nearest end. Halves are rounded to
//! even or, with `HALF_UP`, upwards.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed, Ordered, Signed};
use oplink_ops::nn::{
    QuantizeAndDequantizeV2, QuantizeAndDequantizeV2Inputs, QuantizeAndDequantizeV2Outputs,
    QuantizeAndDequantizeV2RoundMode,
};
use std::marker::PhantomData;

/// `QuantizeAndDequantizeV2` for single and double precision.
pub struct QuantizeCpu<T> {
    /// The lowest and the highest step, as integers.
    ends: [f64; 2],
    range_given: bool,
    half_up: bool,
    axis: Option<usize>,
    element: PhantomData<fn() -> T>,
}

#[kernel(QuantizeAndDequantizeV2, device = CPU, T = [f32, f64])]
impl<T: Computed<ComputeType = T> + ComputeFloat> Kernel for QuantizeCpu<T> {
    type Op = QuantizeAndDequantizeV2;

    fn new(construction: Construction<'_, QuantizeAndDequantizeV2>) -> Result<Self> {
        let attrs = construction.attrs;
        let (bits, axis, signed) = (attrs.num_bits, attrs.axis, attrs.signed_input);
        ensure!(axis >= -1, "axis must be at least -1, it is {axis}");
        let limit = if signed { 62 } else { 63 };
        ensure!(bits > 0 && bits < limit, "num_bits is out of range: {bits} with signed_input {signed}");
        let half = 1i64 << (bits - 1);
        let (low, high) =
            if signed { (i64::from(attrs.narrow_range) - half, half - 1) } else { (0, 2 * (half - 1) + 1) };
        Ok(Self {
            ends: [low as f64, high as f64],
            range_given: attrs.range_given,
            half_up: attrs.round_mode == QuantizeAndDequantizeV2RoundMode::HalfUp,
            axis: usize::try_from(axis).ok(),
            element: PhantomData,
        })
    }

    fn compute(
        &self,
        inputs: QuantizeAndDequantizeV2Inputs<'_>,
        outputs: &mut QuantizeAndDequantizeV2Outputs<'_>,
        _env: Env<'_>,
    ) -> Result<()> {
        let shape = inputs.input.shape().clone();
        if let Some(axis) = self.axis {
            ensure!(axis < shape.rank(), "axis is {axis}, input of shape {shape} has no such axis");
        }
        let given = self.given(&inputs.input_min, &inputs.input_max)?;
        let (output, input) = outputs.output.forward(inputs.input, &shape)?;
        let values = output.as_mut_slice::<T>()?;
        if let Some(input) = input {
            values.copy_from_slice(input.as_slice()?);
        }
        let (slices, inner) = self.axis.map_or((1, 1), |axis| (shape[axis], shape[axis + 1..].iter().product()));
        let steps = match given {
            Some(range) => try_filled(self.steps(range), slices)?,
            None => ranges(values, slices, inner)?.into_iter().map(|range| self.steps(range)).collect(),
        };
        if self.axis.is_none() {
            values.iter_mut().for_each(|value| *value = self.round(*value, &steps[0]));
        } else if !values.is_empty() {
            for (index, run) in values.chunks_exact_mut(inner).enumerate() {
                run.iter_mut().for_each(|value| *value = self.round(*value, &steps[index % slices]));
            }
        }
        Ok(())
    }
}

/// The smallest and the largest value of each slice.
fn ranges<T: ComputeFloat + Ordered>(values: &[T], slices: usize, inner: usize) -> Result<Vec<[T; 2]>> {
    let mut ranges = try_filled(None, slices)?;
    for (index, &value) in values.iter().enumerate() {
        let range = &mut ranges[if slices == 1 { 0 } else { index / inner % slices }];
        let [low, high] = range.unwrap_or([value; 2]);
        *range = Some([if value < low { value } else { low }, if value > high { value } else { high }]);
    }
    try_collect(ranges.into_iter().map(|range| range.unwrap_or([T::ZERO; 2])))
}

/// Steps of a range.
#[derive(Debug, Clone, Copy)]
struct Steps<T> {
    scale: T,
    inverse: T,
    range: [T; 2],
}

impl<T: ComputeFloat> QuantizeCpu<T> {
    /// The range that the inputs give.
    fn given(&self, min: &Tensor, max: &Tensor) -> Result<Option<[T; 2]>> {
        if !self.range_given {
            return Ok(None);
        }
        for (name, end) in [("input_min", min), ("input_max", max)] {
            ensure!(end.rank() == 0, "{name} must be a scalar, its shape is {}", end.shape());
        }
        let (min, max) = (min.to_scalar::<T>()?, max.to_scalar::<T>()?);
        ensure!(min <= max, "invalid range: input_min {min:?} > input_max {max:?}");
        Ok(Some([min, max]))
    }

    fn steps(&self, [min, max]: [T; 2]) -> Steps<T> {
        let [lowest, highest] = self.ends.map(T::from_f64);
        let scale = |end: T, value: T| if end * value > T::ZERO { end / value } else { T::max_value() };
        let (from_min, from_max) = (scale(lowest, min), scale(highest, max));
        if from_min < from_max {
            let inverse = min / lowest;
            return Steps { scale: from_min, inverse, range: [min, highest * inverse] };
        }
        let inverse = max / highest;
        Steps { scale: from_max, inverse, range: [lowest * inverse, max] }
    }

    fn round(&self, value: T, steps: &Steps<T>) -> T {
        let [min, max] = steps.range;
        let value = if self.range_given && value > max { max } else { value };
        let value = if self.range_given && value < min { min } else { value };
        let scaled = value * steps.scale;
        let rounded = if self.half_up { (scaled + T::from_f64(0.5)).floor() } else { round_even(scaled) };
        rounded * steps.inverse
    }
}

/// The nearest integer, the even one of two.
fn round_even<T: ComputeFloat>(x: T) -> T {
    let nearest = x.round();
    let is_half = Signed::abs(x - x.trunc()) == T::from_f64(0.5);
    let two = T::from_f64(2.0);
    if is_half { (x / two).round() * two } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn quantize(values: &[f32], attrs: &[(&str, AttrValue)]) -> Vec<f32> {
        let inputs = vec![Tensor::from_slice(values), Tensor::scalar(-1f32), Tensor::scalar(1.5f32)];
        run("QuantizeAndDequantizeV2", attrs, inputs).unwrap()[0].as_slice().unwrap().to_vec()
    }

    #[test]
    fn values_become_steps() {
        let three = ("num_bits", 3.into());
        assert_eq!(quantize(&[-3.0, 0.4, 1.5, 2.5, 3.0], std::slice::from_ref(&three)), [-3.0, 0.0, 2.0, 2.0, 3.0]);
        let up = [three.clone(), ("round_mode", "HALF_UP".into())];
        assert_eq!(quantize(&[-3.0, 0.4, 1.5, 2.5, 3.0], &up), [-3.0, 0.0, 2.0, 3.0, 3.0]);
        assert_eq!(quantize(&[-9.0, 0.6, 9.0], &[three, ("range_given", true.into())]), [-2.0, 0.5, 1.5]);
        assert_eq!(quantize(&[], &[]), [0f32; 0]);
    }
}
