//! `QuantizeAndDequantizeV2` to `V4`: values rounded to the steps of a quantised range that is symmetric about 0.
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
    QuantizeAndDequantize, QuantizeAndDequantizeV2, QuantizeAndDequantizeV3, QuantizeAndDequantizeV4,
    QuantizeAndDequantizeV4Grad, StepRounding,
};

/// What values become.
struct Quantizer<T> {
    /// The lowest and the highest step, as integers.
    ends: [T; 2],
    half_up: bool,
    axis: Option<usize>,
    /// The range where it is given, or one for each slice.
    given: Option<Vec<[T; 2]>>,
}

/// `QuantizeAndDequantizeV2` and `V4` for single and double precision.
#[kernel(QuantizeAndDequantizeV2, device = CPU, T = [f32, f64])]
#[kernel(QuantizeAndDequantizeV4, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantize_and_dequantize_cpu<T: Computed<ComputeType = T> + ComputeFloat>(
    input: Input<'_>,
    input_min: &Tensor,
    input_max: &Tensor,
    signed_input: bool,
    num_bits: i64,
    range_given: bool,
    round_mode: StepRounding,
    narrow_range: bool,
    axis: i64,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let half_up = round_mode == StepRounding::HalfUp;
    let given = if range_given { Some(vec![range::<T>(input_min, input_max)?]) } else { None };
    Quantizer::new((num_bits, signed_input, narrow_range), half_up, axis, given)?.quantize(input, &mut output)
}

/// `QuantizeAndDequantize` for single and double precision.
#[kernel(QuantizeAndDequantize, device = CPU, T = [f32, f64])]
pub fn quantize_and_dequantize_v1_cpu<T: Computed<ComputeType = T> + ComputeFloat>(
    input: Input<'_>,
    signed_input: bool,
    num_bits: i64,
    range_given: bool,
    input_min: f32,
    input_max: f32,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let ends = [input_min, input_max].map(|end| T::from_f64(f64::from(end)));
    ensure!(!range_given || input_min <= input_max, "input_min {input_min} must not be above input_max {input_max}");
    let given = range_given.then(|| vec![ends]);
    Quantizer::new((num_bits, signed_input, false), false, -1, given)?.quantize(input, &mut output)
}

/// `QuantizeAndDequantizeV3` for single and double precision.
#[kernel(QuantizeAndDequantizeV3, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantize_and_dequantize_v3_cpu<T: Computed<ComputeType = T> + ComputeFloat>(
    input: Input<'_>,
    input_min: &Tensor,
    input_max: &Tensor,
    num_bits: i32,
    signed_input: bool,
    range_given: bool,
    narrow_range: bool,
    axis: i64,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let given = if range_given { Some(ranges_given::<T>(input_min, input_max, axis)?) } else { None };
    let steps = (i64::from(num_bits), signed_input, narrow_range);
    Quantizer::new(steps, false, axis, given)?.quantize(input, &mut output)
}

/// `QuantizeAndDequantizeV4Grad` for single and double precision.
#[kernel(QuantizeAndDequantizeV4Grad, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantize_and_dequantize_v4_grad_cpu<T: Computed<ComputeType = T> + ComputeFloat>(
    gradients: &Tensor,
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    axis: i64,
    input_backprop: &mut Tensor,
    input_min_backprop: &mut Tensor,
    input_max_backprop: &mut Tensor,
) -> Result<()> {
    let (shape, other) = (gradients.shape(), input.shape());
    ensure!(shape == other, "gradients and input must have the same shape, they have {shape} and {other}");
    let (slices, inner) = slices(shape, usize::try_from(axis).ok())?;
    let (min, max) = (input_min.as_slice::<T>()?, input_max.as_slice::<T>()?);
    ensure!(min.len() == slices && max.len() == slices, "there must be {slices} ranges, one for each slice along axis");
    let values = gradients.as_slice::<T>()?.iter().zip(input.as_slice::<T>()?);
    for (index, ((&gradient, &value), to)) in values.zip(input_backprop.as_mut_slice::<T>()?).enumerate() {
        let slice = if slices == 1 { 0 } else { index / inner % slices };
        // A product, as in TensorFlow: zeros keep the gradient's sign, infinities outside the range give NaN.
        *to = gradient * if min[slice] <= value && value <= max[slice] { T::from_f64(1.0) } else { T::ZERO };
    }
    input_min_backprop.as_mut_slice::<T>()?.fill(T::ZERO);
    input_max_backprop.as_mut_slice::<T>()?.fill(T::ZERO);
    Ok(())
}

/// Slices along an axis, and the elements of a run of one; one slice without an axis.
fn slices(shape: &Shape, axis: Option<usize>) -> Result<(usize, usize)> {
    let Some(axis) = axis else { return Ok((1, 1)) };
    ensure!(axis < shape.rank(), "axis is {axis}, input of shape {shape} has no such axis");
    Ok((shape[axis], shape[axis + 1..].iter().product()))
}

/// The range that the inputs give.
fn range<T: ComputeFloat>(min: &Tensor, max: &Tensor) -> Result<[T; 2]> {
    for (name, end) in [("input_min", min), ("input_max", max)] {
        ensure!(end.rank() == 0, "{name} must be a scalar, its shape is {}", end.shape());
    }
    let (min, max) = (min.to_scalar::<T>()?, max.to_scalar::<T>()?);
    ensure!(min <= max, "invalid range: input_min {min:?} > input_max {max:?}");
    Ok([min, max])
}

/// The ranges that the inputs give: a scalar, or with an axis a vector of them.
fn ranges_given<T: ComputeFloat>(min: &Tensor, max: &Tensor, axis: i64) -> Result<Vec<[T; 2]>> {
    if axis == -1 {
        return Ok(vec![range(min, max)?]);
    }
    ensure!(
        min.rank() == 1 && min.shape() == max.shape(),
        "with an axis, input_min and input_max must be vectors of one length, their shapes are {} and {}",
        min.shape(),
        max.shape()
    );
    let ends = min.as_slice::<T>()?.iter().zip(max.as_slice::<T>()?);
    let ranges = try_collect(ends.map(|(&min, &max)| [min, max]))?;
    for [min, max] in &ranges {
        ensure!(min <= max, "invalid range: input_min {min:?} > input_max {max:?}");
    }
    Ok(ranges)
}

impl<T: Computed<ComputeType = T> + ComputeFloat> Quantizer<T> {
    /// For steps of so many bits, with a sign or without, perhaps without the lowest.
    ///
    /// # Errors
    /// The bits or the axis are out of range.
    fn new(
        (bits, signed, narrow): (i64, bool, bool),
        half_up: bool,
        axis: i64,
        given: Option<Vec<[T; 2]>>,
    ) -> Result<Self> {
        ensure!(axis >= -1, "axis must be at least -1, it is {axis}");
        let limit = if signed { 62 } else { 63 };
        ensure!(bits > 0 && bits < limit, "num_bits is out of range: {bits} with signed_input {signed}");
        let half = 1i64 << (bits - 1);
        let (low, high) = if signed { (i64::from(narrow) - half, half - 1) } else { (0, 2 * (half - 1) + 1) };
        let ends = [low, high].map(|end| T::from_f64(end as f64));
        Ok(Self { ends, half_up, axis: usize::try_from(axis).ok(), given })
    }

    fn quantize(&self, input: Input<'_>, output: &mut OutputSlot<'_>) -> Result<()> {
        let shape = input.shape().clone();
        let (slices, inner) = slices(&shape, self.axis)?;
        let (output, input) = output.forward(input, &shape)?;
        let values = output.as_mut_slice::<T>()?;
        if let Some(input) = input {
            values.copy_from_slice(input.as_slice()?);
        }
        let steps = match self.given.as_deref() {
            Some(&[range]) => try_filled(self.steps(range), slices)?,
            Some(given) => {
                ensure!(given.len() == slices, "there are {} ranges for {slices} slices along axis", given.len());
                given.iter().map(|&range| self.steps(range)).collect()
            }
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

impl<T: ComputeFloat> Quantizer<T> {
    fn steps(&self, [min, max]: [T; 2]) -> Steps<T> {
        let [lowest, highest] = self.ends;
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
        let value = if self.given.is_some() && value > max { max } else { value };
        let value = if self.given.is_some() && value < min { min } else { value };
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

    #[test]
    fn versions_differ_in_where_attrs_come_from() {
        let input = Tensor::from_slice(&[-9f32, 0.6, 9.0]);
        let ends = [Tensor::scalar(-1f32), Tensor::scalar(1.5f32)];
        let inputs = [vec![input.clone()], ends.to_vec(), vec![Tensor::scalar(3i32)]].concat();
        let out = run("QuantizeAndDequantizeV3", &[], inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-2.0, 0.5, 1.5]);
        let inputs = [vec![Tensor::from_slice(&[1f32, 2.0, 3.0]), input], ends.to_vec()].concat();
        let out = run("QuantizeAndDequantizeV4Grad", &[], inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 2.0, 0.0]);
        assert_eq!(out[1].to_scalar::<f32>().unwrap(), 0.0);
    }

    #[test]
    fn gradients_outside_the_range_keep_their_sign() {
        let gradients = Tensor::from_slice(&[-1f32, 1.0, f32::INFINITY, -2.0]);
        let input = Tensor::from_slice(&[5f32, f32::NAN, 5.0, 0.5]);
        let inputs = vec![gradients, input, Tensor::scalar(-1f32), Tensor::scalar(1f32)];
        let out = run("QuantizeAndDequantizeV4Grad", &[], inputs).unwrap();
        let found = out[0].as_slice::<f32>().unwrap();
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&[found[0], found[1], found[3]]), bits(&[-0.0, 0.0, -2.0]));
        assert!(found[2].is_nan());
    }
}
