//! Quantized numbers in another range, and the ranges that they fill.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::prelude::*;
use oplink_ops::nn::{QuantizeDownAndShrinkRange, RequantizationRange, RequantizationRangePerChannel};
use oplink_ops::nn::{Requantize, RequantizePerChannel};

use super::ranges::{Integers, Numbers, number};
use super::zero::{Quantized, range};

/// A dtype of bytes that 32-bit numbers are requantized to.
pub trait Narrow: Quantized {
    /// Requantizes numbers of one range to another.
    fn requantize(values: &[QInt32], from: (f32, f32), to: (f32, f32), out: &mut [Self]);
}

impl Narrow for QInt8 {
    fn requantize(values: &[QInt32], from: (f32, f32), to: (f32, f32), out: &mut [Self]) {
        let (numbers, integers) = (Numbers::of::<QInt32>(from), Integers::of::<Self>(to));
        out.iter_mut().zip(values).for_each(|(out, &value)| *out = integers.integer(numbers.number(value)));
    }
}

/// Bits behind the point.
const SHIFT: u32 = 16;
const ONE: f64 = 65_536.0;

impl Narrow for QUInt8 {
    /// In fixed-point numbers.
    fn requantize(values: &[QInt32], from: (f32, f32), to: (f32, f32), out: &mut [Self]) {
        let (extent, wanted) = (from.1 - from.0, to.1 - to.0);
        let a_unit = if wanted == 0.0 { 0.0 } else { (255.0 / f64::from(wanted)) as f32 };
        let middle = (from.0 + from.1) * 0.5;
        let scale = if wanted == 0.0 { 0 } else { (255.0 * ONE * f64::from(extent) / f64::from(wanted)) as i64 };
        let input_offset = (middle * a_unit * ONE as f32) as i64;
        let output_offset =
            if wanted == 0.0 { 0 } else { (ONE * (f64::from(to.0) * 255.0) / f64::from(wanted)) as i64 };
        let offset = input_offset.wrapping_sub(output_offset).wrapping_add(1 << (SHIFT - 1));
        for (out, value) in out.iter_mut().zip(values) {
            let scaled = i64::from(value.0).wrapping_mul(scale) >> 32;
            *out = Self((scaled.wrapping_add(offset) >> SHIFT).clamp(0, 255) as u8);
        }
    }
}

/// `Requantize` of 32-bit numbers to bytes.
#[kernel(Requantize, device = CPU, Tinput = [QInt32], out_type = [QInt8, QUInt8])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn requantize_cpu<OutType: Narrow>(
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    requested_output_min: &Tensor,
    requested_output_max: &Tensor,
    output: &mut Tensor,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    let (from, to) = (range(input_min, input_max)?, range(requested_output_min, requested_output_max)?);
    ensure!(to.0 <= 0.0, "requested_output_min must be <= 0, it is {}", to.0);
    ensure!(to.1 >= to.0, "requested_output_max must be >= requested_output_min, they are {} and {}", to.1, to.0);
    OutType::requantize(input.as_slice()?, from, to, output.as_mut_slice()?);
    set(output_min, output_max, to)
}

/// Sets the ends of a range.
pub(super) fn set(min: &mut Tensor, max: &mut Tensor, range: (f32, f32)) -> Result<()> {
    (min.as_mut_slice::<f32>()?[0], max.as_mut_slice::<f32>()?[0]) = range;
    Ok(())
}

/// The range that numbers fill.
fn filled(values: &[QInt32], range: (f32, f32)) -> (f32, f32) {
    let least = values.iter().min_by_key(|value| value.0).map_or(QInt32(i32::MAX), |&value| value);
    let most = values.iter().max_by_key(|value| value.0).map_or(QInt32(i32::MIN), |&value| value);
    (number(least, range).min(0.0), number(most, range))
}

/// `RequantizationRange` of 32-bit numbers.
#[kernel(RequantizationRange, device = CPU, Tinput = [QInt32])]
pub fn requantization_range_cpu(
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    let range = range(input_min, input_max)?;
    ensure!(input.rank() > 0, "input must not be a scalar");
    set(output_min, output_max, filled(input.as_slice()?, range))
}

/// `QuantizeDownAndShrinkRange` of 32-bit numbers to bytes.
#[kernel(QuantizeDownAndShrinkRange, device = CPU, Tinput = [QInt32], out_type = [QUInt8])]
pub fn quantize_down_and_shrink_range_cpu(
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    output: &mut Tensor,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    let (from, values) = (range(input_min, input_max)?, input.as_slice::<QInt32>()?);
    let to = filled(values, from);
    QUInt8::requantize(values, from, to, output.as_mut_slice()?);
    set(output_min, output_max, to)
}

/// The ends of the ranges of channels, of which the last axis has as many.
fn channels<'t>(input: &Tensor, min: &'t Tensor, max: &'t Tensor) -> Result<(&'t [f32], &'t [f32])> {
    let Some(&count) = input.shape().last() else { bail!("input must not be a scalar") };
    for (name, end) in [("input_min", min), ("input_max", max)] {
        ensure!(
            end.shape().dims() == [count],
            "{name} must have an entry for each of {count} channels, its shape is {}",
            end.shape()
        );
    }
    Ok((min.as_slice()?, max.as_slice()?))
}

/// `RequantizationRangePerChannel` of 32-bit numbers.
#[kernel(RequantizationRangePerChannel, device = CPU, T = [QInt32])]
pub fn requantization_range_per_channel_cpu(
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    clip_value_max: f32,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    let (min, max) = channels(input, input_min, input_max)?;
    let (values, count) = (input.as_slice::<QInt32>()?, min.len());
    let (mut largest, mut negative) = (f32::MIN_POSITIVE, false);
    for channel in 0..count {
        let own = || values.iter().skip(channel).step_by(count).map(|value| value.0);
        let (least, most) = (own().min().unwrap_or(i32::MAX), own().max().unwrap_or(i32::MIN));
        let magnitude = least.wrapping_abs().max(most.wrapping_abs());
        let scale = min[channel].abs().max(max[channel].abs());
        largest = largest.max(scale * magnitude as f32 / 2_147_483_648.0);
        negative |= least < 0;
    }
    let largest = if largest > clip_value_max { clip_value_max } else { largest };
    set(output_min, output_max, (if negative { -largest } else { 0.0 }, largest))
}

/// `RequantizePerChannel` of 32-bit numbers to bytes.
#[kernel(RequantizePerChannel, device = CPU, T = [QInt32], out_type = [QInt8, QUInt8])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn requantize_per_channel_cpu<OutType: Narrow>(
    input: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    requested_output_min: &Tensor,
    requested_output_max: &Tensor,
    output: &mut Tensor,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
    let (min, max) = channels(input, input_min, input_max)?;
    let to = range(requested_output_min, requested_output_max)?;
    ensure!(OutType::LOWEST == 0.0 || to.0 < 0.0, "requested_output_min must be below 0 for qint8, it is {}", to.0);
    let wanted = to.0.abs().max(to.1.abs());
    let steps = if OutType::LOWEST < 0.0 { 127.0f32 } else { 255.0 };
    let scale = |channel: usize| steps * (min[channel].abs().max(max[channel].abs()) / wanted / 2_147_483_648.0);
    let (values, count) = (input.as_slice::<QInt32>()?, min.len());
    for (at, (out, value)) in output.as_mut_slice::<OutType>()?.iter_mut().zip(values).enumerate() {
        let scaled = (scale(at % count) * value.0 as f32).clamp(OutType::LOWEST as f32, OutType::HIGHEST as f32);
        *out = OutType::of(scaled.round_ties_even());
    }
    set(output_min, output_max, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn numbers_come_out_as_in_tensorflow() {
        let numbers = Tensor::from_vec([3], vec![QInt32(100), QInt32(-200), QInt32(i32::MAX)]).unwrap();
        let ends = [-1f32, 1.0, -0.5, 0.5].map(Tensor::scalar);
        let attrs = [("out_type", DType::QInt8.into())];
        let out = run("Requantize", &attrs, [vec![numbers], ends.to_vec()].concat()).unwrap();
        assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(0), QInt8(0), QInt8(127)]);
    }

    #[test]
    fn channels_have_ranges_of_their_own() {
        let numbers = vec![QInt32(100), QInt32(-200_000_000), QInt32(i32::MAX)];
        let numbers = Tensor::from_vec([1, 1, 1, 3], numbers).unwrap();
        let ends: [Tensor; 2] = [[-1f32, -1.0, -1.0].into(), [1f32, 2.0, 3.0].into()];
        let attrs = [("out_type", DType::QInt8.into())];
        let inputs = [vec![numbers.clone()], ends.to_vec(), [-0.5f32, 0.5].map(Tensor::scalar).to_vec()].concat();
        let out = run("RequantizePerChannel", &attrs, inputs).unwrap();
        assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(0), QInt8(-47), QInt8(127)]);
        let attrs = [("clip_value_max", AttrValue::Float(9.0))];
        let inputs = [vec![numbers.with_shape([1, 1, 1, 3]).unwrap()], ends.to_vec()].concat();
        let out = run("RequantizationRangePerChannel", &attrs, inputs).unwrap();
        assert_eq!(out.len(), 2);
    }
}
