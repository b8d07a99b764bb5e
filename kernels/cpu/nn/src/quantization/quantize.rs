//! `QuantizeV2`: numbers as integers that count the steps of a range.

use super::zero::Quantized;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::GRAIN;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::nn::{QuantizeMode, QuantizeRounding, QuantizeV2};

/// The largest `f32` that is an `i32`.
const MOST: f32 = 2_147_483_520.0;

/// How numbers of a range become integers.
#[derive(Debug, Clone, Copy)]
struct Scale {
    mode: QuantizeMode,
    to_even: bool,
    /// The range.
    ends: (f32, f32),
    steps_a_unit: f32,
    /// What is taken off after scaling.
    offset: f32,
}

/// `QuantizeV2` for the quantized integers.
#[kernel(QuantizeV2, device = CPU, T = [QInt8, QUInt8, QInt16, QUInt16, QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantize_v2_cpu<T: Quantized>(
    input: &Tensor,
    min_range: &Tensor,
    max_range: &Tensor,
    mode: QuantizeMode,
    round_mode: QuantizeRounding,
    narrow_range: bool,
    axis: i64,
    ensure_minimum_range: f32,
    output: &mut Tensor,
    mut output_min: OutputSlot<'_>,
    mut output_max: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let to_even = round_mode == QuantizeRounding::HalfToEven;
    ensure!(
        mode == QuantizeMode::Scaled || !to_even,
        "round_mode HALF_TO_EVEN is for mode SCALED only, the mode is {mode}"
    );
    let (slices, inner) = super::slices(input.shape(), axis, [min_range, max_range])?;
    super::check_slices(mode, slices)?;
    // One range is a scalar, whether of an axis or not.
    let shape = if slices == 1 { Shape::scalar() } else { Shape::new(&[slices]) };
    let (min, max) = (min_range.as_slice::<f32>()?, max_range.as_slice::<f32>()?);
    let (to_min, to_max) = (output_min.allocate(shape.clone())?, output_max.allocate(shape)?);
    let (to_min, to_max) = (to_min.as_mut_slice::<f32>()?, to_max.as_mut_slice::<f32>()?);
    let (values, out) = (input.as_slice::<f32>()?, output.as_mut_slice::<T>()?);
    for slice in 0..slices {
        let ends = widened((min[slice], max[slice]), ensure_minimum_range)?;
        let scale = Scale::new::<T>(mode, to_even, narrow_range, ends);
        (to_min[slice], to_max[slice]) = scale.ends;
        if slices == 1 && axis == -1 {
            for_each_chunk(&env, out, GRAIN, 1, &|start, part| {
                let values = &values[start..][..part.len()];
                part.iter_mut().zip(values).for_each(|(to, &value)| *to = scale.quantize(value));
            });
            continue;
        }
        let runs = out.chunks_exact_mut(inner.max(1)).zip(values.chunks_exact(inner.max(1)));
        for (out, values) in runs.skip(slice).step_by(slices) {
            out.iter_mut().zip(values).for_each(|(to, &value)| *to = scale.quantize(value));
        }
    }
    Ok(())
}

/// A range that includes 0 and whose ends are not too near to each other.
fn widened((min, max): (f32, f32), ensure_minimum_range: f32) -> Result<(f32, f32)> {
    ensure!(!(max < min), "max_range must be at least min_range, they are {max} and {min}");
    let epsilon = 1f32.max(min.abs().max(max.abs())) * ensure_minimum_range;
    let low = if min < 0.0 { min } else { 0.0 };
    let high = if max < low + epsilon { low + epsilon } else { max };
    Ok((low, if high > 0.0 { high } else { 0.0 }))
}

impl Scale {
    fn new<T: Quantized>(mode: QuantizeMode, to_even: bool, narrow: bool, (min, max): (f32, f32)) -> Self {
        let (lowest, highest) = (T::LOWEST as f32, T::HIGHEST as f32);
        match mode {
            QuantizeMode::MinCombined => {
                let steps_a_unit = ((T::HIGHEST - T::LOWEST) / f64::from(max - min)) as f32;
                let offset = if lowest < 0.0 { -lowest } else { 0.0 };
                Self { mode, to_even, ends: (min, max), steps_a_unit, offset }
            }
            QuantizeMode::MinFirst => {
                let steps_a_unit =
                    if min == max { 0.0 } else { ((T::HIGHEST - T::LOWEST) / f64::from(max - min)) as f32 };
                let offset = (min * steps_a_unit).round() - lowest;
                Self { mode, to_even, ends: (min, max), steps_a_unit, offset }
            }
            QuantizeMode::Scaled => {
                let lowest = lowest + f32::from(u8::from(narrow));
                let from = |end: f32, value: f32| if end * value > 0.0 { end / value } else { f32::MAX };
                let steps_a_unit = from(lowest, min).min(from(highest, max));
                let ends = (flushed(lowest / steps_a_unit), flushed(highest / steps_a_unit));
                Self { mode, to_even, ends, steps_a_unit, offset: 0.0 }
            }
        }
    }

    fn quantize<T: Quantized>(&self, value: f32) -> T {
        let (min, max) = self.ends;
        let inside = || {
            let below = if max < value { max } else { value };
            if below < min { min } else { below }
        };
        T::of(match self.mode {
            QuantizeMode::MinCombined if self.offset == 0.0 => ((inside() - min) * self.steps_a_unit + 0.5).trunc(),
            QuantizeMode::MinCombined => ((inside() - min) * self.steps_a_unit - self.offset).round(),
            QuantizeMode::MinFirst => {
                let (low, high) = (T::LOWEST as f32, (T::HIGHEST as f32).min(MOST));
                let steps = (value * self.steps_a_unit).round() - self.offset;
                let above = if steps < low { low } else { steps };
                if high < above { high } else { above }
            }
            QuantizeMode::Scaled if self.to_even => (inside() * self.steps_a_unit).round_ties_even(),
            QuantizeMode::Scaled => (inside() * self.steps_a_unit).round(),
        })
    }
}

/// Zero in the place of a subnormal number, as TensorFlow computes.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn quantize<T: Quantized>(dtype: DType, attrs: &[(&str, AttrValue)], range: [f32; 2]) -> (Vec<i32>, [f32; 2]) {
        let input = Tensor::from_slice(&[-2f32, -1.0, 0.0, 0.25, 1.0, 3.0]);
        let inputs = vec![input, Tensor::scalar(range[0]), Tensor::scalar(range[1])];
        let out = run("QuantizeV2", &[attrs, &[("T", dtype.into())]].concat(), inputs).unwrap();
        let values = out[0].as_slice::<T>().unwrap().iter().map(|value| value.integer()).collect();
        (values, [out[1].to_scalar().unwrap(), out[2].to_scalar().unwrap()])
    }

    #[test]
    fn modes_count_steps_from_different_ends() {
        let (values, range) = quantize::<QUInt8>(DType::QUInt8, &[], [-1.0, 1.0]);
        assert_eq!((values, range), (vec![0, 0, 128, 159, 255, 255], [-1.0, 1.0]));
        let (values, _) = quantize::<QInt8>(DType::QInt8, &[("mode", "MIN_FIRST".into())], [-1.0, 1.0]);
        assert_eq!(values, [-128, -128, 0, 32, 127, 127]);
        let attrs = [("mode", "SCALED".into()), ("narrow_range", true.into()), ("round_mode", "HALF_TO_EVEN".into())];
        let (values, range) = quantize::<QInt8>(DType::QInt8, &attrs, [-1.0, 2.0]);
        assert_eq!((values, range), (vec![-127, -64, 0, 16, 64, 127], [-2.0, 2.0]));
    }

    #[test]
    fn slices_have_ranges_of_their_own() {
        let input = Tensor::from_vec([2, 2], vec![1f32, 1.0, -1.0, -4.0]).unwrap();
        let ends = [Tensor::from_slice(&[-1f32, -4.0]), Tensor::from_slice(&[1f32, 4.0])];
        let attrs = [("T", DType::QInt8.into()), ("mode", "SCALED".into()), ("axis", 1.into())];
        let out = run("QuantizeV2", &attrs, [vec![input.clone()], ends.to_vec()].concat()).unwrap();
        assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(127), QInt8(32), QInt8(-127), QInt8(-127)]);
        let one = vec![Tensor::from_slice(&[1f32]), Tensor::from_slice(&[-2.75f32]), Tensor::from_slice(&[7.25f32])];
        let attrs_of_one = [("T", DType::QInt8.into()), ("mode", "MIN_FIRST".into()), ("axis", 0.into())];
        let out = run("QuantizeV2", &attrs_of_one, one).unwrap();
        assert_eq!((out[0].as_slice::<QInt8>().unwrap(), out[1].rank()), (&[QInt8(-32)][..], 0));
        let few = vec![input, Tensor::from_slice(&[-1f32]), Tensor::from_slice(&[1f32])];
        assert!(run("QuantizeV2", &attrs, few).is_err());
    }
}
