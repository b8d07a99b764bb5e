//! `Dequantize`: the numbers that integers stand for, which count the steps of a range.

use super::zero::Quantized;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16, bf16};
use oplink::prelude::*;
use oplink_ops::nn::{Dequantize, QuantizeMode};

/// `Dequantize` to f32.
#[kernel(Dequantize, device = CPU, T = [QInt8, QUInt8, QInt16, QUInt16, QInt32], dtype = [f32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn dequantize_cpu<T: Quantized>(
    input: &Tensor,
    min_range: &Tensor,
    max_range: &Tensor,
    mode: QuantizeMode,
    narrow_range: bool,
    axis: i64,
    output: &mut Tensor,
) -> Result<()> {
    dequantize::<T, f32>([input, min_range, max_range], mode, narrow_range, axis, output, |value| value)
}

/// `Dequantize` to bfloat16.
#[kernel(Dequantize, device = CPU, T = [QInt8, QUInt8, QInt16, QUInt16, QInt32], dtype = [bf16])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn dequantize_bf16_cpu<T: Quantized>(
    input: &Tensor,
    min_range: &Tensor,
    max_range: &Tensor,
    mode: QuantizeMode,
    narrow_range: bool,
    axis: i64,
    output: &mut Tensor,
) -> Result<()> {
    ensure!(mode == QuantizeMode::MinCombined, "to bfloat16 the mode must be MIN_COMBINED, it is {mode}");
    dequantize::<T, bf16>([input, min_range, max_range], mode, narrow_range, axis, output, bf16::from_f32)
}

/// A line: what an integer is multiplied by after `before` is added, and what is added then.
#[derive(Debug, Clone, Copy)]
struct Line {
    before: f32,
    scale: f32,
    after: f32,
}

fn dequantize<T: Quantized, O: Element>(
    [input, min_range, max_range]: [&Tensor; 3],
    mode: QuantizeMode,
    narrow: bool,
    axis: i64,
    output: &mut Tensor,
    convert: impl Fn(f32) -> O,
) -> Result<()> {
    let (slices, inner) = super::slices(input.shape(), axis, [min_range, max_range])?;
    super::check_slices(mode, slices)?;
    let (min, max) = (min_range.as_slice::<f32>()?, max_range.as_slice::<f32>()?);
    let (values, out) = (input.as_slice::<T>()?, output.as_mut_slice::<O>()?);
    for slice in 0..slices {
        let line = Line::new::<T>(mode, narrow, (min[slice], max[slice]));
        let wraps = mode == QuantizeMode::Scaled && slices == 1;
        let integer = |value: T| if wraps { wrapped(value.integer()) } else { value.integer() as f32 };
        let number = |value: T| (integer(value) + line.before) * line.scale + line.after;
        let run = if axis == -1 { values.len() } else { inner }.max(1);
        let runs = out.chunks_exact_mut(run).zip(values.chunks_exact(run));
        for (out, values) in runs.skip(slice).step_by(slices) {
            out.iter_mut().zip(values).for_each(|(to, &value)| *to = convert(number(value)));
        }
    }
    Ok(())
}

/// An integer as a number. One that rounds to 2^31 becomes -2^31, as in TensorFlow, which goes through an integer of 32
/// bits again, where one range is for all and the mode is `SCALED`.
fn wrapped(value: i32) -> f32 {
    let number = value as f32;
    if number == 2_147_483_648.0 { -number } else { number }
}

impl Line {
    fn new<T: Quantized>(mode: QuantizeMode, narrow: bool, (min, max): (f32, f32)) -> Self {
        let (lowest, highest) = (T::LOWEST as f32, T::HIGHEST as f32);
        let steps = (T::HIGHEST - T::LOWEST) as f32;
        match mode {
            QuantizeMode::MinCombined => {
                let before = if lowest < 0.0 { -lowest } else { 0.0 };
                Self { before, scale: ((f64::from(max - min)) / (T::HIGHEST - T::LOWEST)) as f32, after: min }
            }
            QuantizeMode::MinFirst => {
                let scale = (max - min) / steps;
                let first = if min == max { min } else { (min / scale).round() * scale };
                Self { before: 0.0, scale, after: first - lowest * scale }
            }
            QuantizeMode::Scaled => {
                let lowest = lowest + f32::from(u8::from(narrow));
                let scale = if T::LOWEST == 0.0 { max / highest } else { (min / lowest).max(max / highest) };
                // Nothing is added, so that zeros keep their sign.
                Self { before: 0.0, scale, after: -0.0 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn integers_stand_for_steps() {
        let dequantize = |values: &[i8], mode: &str| {
            let input = Tensor::from_slice(&values.iter().map(|&value| QInt8(value)).collect::<Vec<_>>());
            let inputs = vec![input, Tensor::scalar(-1f32), Tensor::scalar(1.54f32)];
            run("Dequantize", &[("mode", mode.into())], inputs).unwrap()[0].as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(dequantize(&[-128, 127], "MIN_COMBINED"), [-1.0, 1.54]);
        assert_eq!(dequantize(&[0, 100], "SCALED"), [0.0, 1.54 / 127.0 * 100.0]);
    }

    #[test]
    fn slices_have_ranges_of_their_own() {
        let input = Tensor::from_vec([2, 2], vec![QUInt8(255), QUInt8(255), QUInt8(0), QUInt8(51)]).unwrap();
        let ends = [Tensor::from_slice(&[0f32, -1.0]), Tensor::from_slice(&[1f32, 4.0])];
        let attrs = [("axis", 1.into())];
        let out = run("Dequantize", &attrs, [vec![input.clone()], ends.to_vec()].concat()).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [1.0, 4.0, 0.0, 0.0]);
        let highest = Tensor::from_slice(&[QInt32(i32::MAX), QInt32(2_147_483_520)]);
        let inputs = vec![highest, Tensor::scalar(1f32), Tensor::scalar(4f32)];
        let out = run("Dequantize", &[("mode", "SCALED".into())], inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-4.0, 3.999_999_8]);
        let attrs = [("dtype", DType::BFloat16.into()), ("mode", "SCALED".into())];
        assert!(run("Dequantize", &attrs, vec![input, Tensor::scalar(0f32), Tensor::scalar(1f32)]).is_err());
    }
}
