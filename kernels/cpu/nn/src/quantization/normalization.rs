//! `QuantizedInstanceNorm` and `QuantizedBatchNormWithGlobalNormalization`: normalization of bytes.

use oplink::element::{QInt32, QUInt8};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::nn::{QuantizedBatchNormWithGlobalNormalization, QuantizedBatchNormWithGlobalNormalizationInputs};
use oplink_ops::nn::{QuantizedBatchNormWithGlobalNormalizationOutputs, QuantizedInstanceNorm};
use oplink_ops::nn::{QuantizedInstanceNormAttrs, QuantizedInstanceNormOutputs};

use super::ranges::{Integers, integer, number};
use super::zero::range;

/// The range of batch normalization.
const RANGE: (f32, f32) = (-1_048_576.0, 1_048_576.0);

/// `QuantizedInstanceNorm` of unsigned bytes.
#[kernel(QuantizedInstanceNorm, device = CPU, T = [QUInt8])]
pub fn quantized_instance_norm_cpu(
    x: &Tensor,
    x_min: &Tensor,
    x_max: &Tensor,
    attrs: QuantizedInstanceNormAttrs<'_>,
    outputs: &mut QuantizedInstanceNormOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (low, high) = range(x_min, x_max)?;
    ensure!(low < high, "x_min must be less than x_max, they are {low} and {high}");
    let given = attrs.output_range_given.then_some((attrs.given_y_min, attrs.given_y_max));
    if let Some((min, max)) = given {
        ensure!(min < max, "given_y_min must be less than given_y_max, they are {min} and {max}");
    }
    let &[batch, rows, columns, channels] = x.shape().dims() else {
        bail!("x must be of rank 4, its shape is {}", x.shape())
    };
    let pixels = rows * columns;
    let values = x.as_slice::<QUInt8>()?;
    let image = (pixels * channels).max(1);
    let mut normed = try_filled(0f32, values.len())?;
    for (image, out) in values.chunks_exact(image).zip(normed.chunks_exact_mut(image)).take(batch) {
        normalise(image, channels, ((high - low) / 255.0, attrs.variance_epsilon), out, env)?;
    }
    let ends = || {
        let all = env.watch(&normed);
        all.fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), &value| (min.min(value), max.max(value)))
    };
    let (min, mut max) = given.unwrap_or_else(ends);
    if max - min < attrs.min_separation {
        max = min + attrs.min_separation;
    }
    let integers = Integers::of::<QUInt8>((min, max));
    let y = outputs.y.allocate(x.shape().clone())?.as_mut_slice::<QUInt8>()?;
    env.watch(y.iter_mut().zip(&normed)).for_each(|(y, &value)| *y = integers.integer(value));
    outputs.y_min.set_scalar(min);
    outputs.y_max.set_scalar(max);
    Ok(())
}

/// The channels of one image, whose bytes are so far apart, normalised.
fn normalise(
    image: &[QUInt8],
    channels: usize,
    (step, epsilon): (f32, f32),
    out: &mut [f32],
    env: Env<'_>,
) -> Result<()> {
    let pixels = (image.len() / channels.max(1)) as f32;
    let mut means = try_filled(0f32, channels)?;
    for pixel in env.watch(image.chunks_exact(channels.max(1))) {
        means.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += f32::from(value.0));
    }
    means.iter_mut().for_each(|sum| *sum /= pixels);
    let distance = |value: &QUInt8, mean: &f32| step * (f32::from(value.0) - mean);
    let mut scales = try_filled(0f32, channels)?;
    for pixel in env.watch(image.chunks_exact(channels.max(1))) {
        for (sum, (value, mean)) in scales.iter_mut().zip(pixel.iter().zip(&means)) {
            let distance = distance(value, mean);
            *sum += distance * distance;
        }
    }
    scales.iter_mut().for_each(|sum| *sum = (*sum / pixels + epsilon).sqrt().recip());
    let pairs = image.chunks_exact(channels.max(1)).zip(out.chunks_exact_mut(channels.max(1)));
    for (pixel, out) in env.watch(pairs) {
        for (channel, (value, out)) in pixel.iter().zip(out).enumerate() {
            *out = distance(value, &means[channel]) * scales[channel];
        }
    }
    Ok(())
}

/// The first end of a range, and its other one.
fn ends(min: &Tensor, max: &Tensor) -> Result<(f32, f32)> {
    match (min.as_slice::<f32>()?, max.as_slice::<f32>()?) {
        (&[min, ..], &[max, ..]) => Ok((min, max)),
        _ => bail!("the ends of a range must have an element"),
    }
}

/// The integer of the range that stands for a number; the lowest for NaN, and for what has more than 64 bits in units
/// of the range.
fn fixed(value: f32) -> i32 {
    const MOST: f32 = (1u64 << 52) as f32;
    if value < MOST { integer::<QInt32>(value, RANGE) as i32 } else { i32::MIN }
}

/// `QuantizedBatchNormWithGlobalNormalization` of unsigned bytes.
#[kernel(QuantizedBatchNormWithGlobalNormalization, device = CPU, Tinput = [QUInt8], out_type = [QInt32])]
pub fn quantized_batch_norm_with_global_normalization_cpu(
    inputs: QuantizedBatchNormWithGlobalNormalizationInputs<'_>,
    outputs: &mut QuantizedBatchNormWithGlobalNormalizationOutputs<'_>,
    variance_epsilon: f32,
    scale_after_normalization: bool,
    env: Env<'_>,
) -> Result<()> {
    let t = &*inputs.t;
    let &[_, _, _, channels] = t.shape().dims() else { bail!("t must be of rank 4, its shape is {}", t.shape()) };
    ensure!(channels > 0, "t must have channels, its shape is {}", t.shape());
    let vector = |tensor: &Tensor, min: &Tensor, max: &Tensor| {
        let fits = tensor.shape().dims() == [channels];
        ensure!(fits, "a vector must have an entry for each of {channels} channels, its shape is {}", tensor.shape());
        let range = ends(min, max)?;
        try_collect(tensor.as_slice::<QUInt8>()?.iter().map(|&byte| number(byte, range)))
    };
    let means = vector(&inputs.m, &inputs.m_min, &inputs.m_max)?;
    let variances = vector(&inputs.v, &inputs.v_min, &inputs.v_max)?;
    let betas = vector(&inputs.beta, &inputs.beta_min, &inputs.beta_max)?;
    let gammas = vector(&inputs.gamma, &inputs.gamma_min, &inputs.gamma_max)?;
    let scale = |channel: usize| {
        let scale = 1.0 / (variances[channel] + variance_epsilon).sqrt();
        if scale_after_normalization { scale * gammas[channel] } else { scale }
    };
    let steps = try_collect((0..channels).map(|channel| {
        let scale = scale(channel);
        (fixed(scale), fixed(-means[channel] * scale + betas[channel]))
    }))?;
    let range = ends(&inputs.t_min, &inputs.t_max)?;
    // A byte has few values: each is converted once.
    let numbers: Vec<i32> = (0..=u8::MAX).map(|byte| fixed(number(QUInt8(byte), range))).collect();
    let one = fixed(1.0);
    let values = t.as_slice::<QUInt8>()?;
    let result = outputs.result.allocate(t.shape().clone())?.as_mut_slice::<QInt32>()?;
    for (out, (value, &(scale, offset))) in env.watch(result.iter_mut().zip(values.iter().zip(steps.iter().cycle()))) {
        *out = QInt32((numbers[usize::from(value.0)].wrapping_mul(scale) / one).wrapping_add(offset));
    }
    outputs.result_min.set_scalar(RANGE.0);
    outputs.result_max.set_scalar(RANGE.1);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn bytes(shape: &[usize], values: &[u8]) -> Tensor {
        Tensor::from_vec(shape, values.iter().map(|&value| QUInt8(value)).collect()).unwrap()
    }

    fn check_instances(attrs: &[(&str, AttrValue)], expected: [u8; 6], ends: [f32; 2]) {
        let values: Vec<u8> = (0..24).map(|at| at * 10).collect();
        let inputs = vec![bytes(&[2, 2, 3, 2], &values), (-1f32).into(), 1f32.into()];
        let out = run("QuantizedInstanceNorm", attrs, inputs).unwrap();
        let expected: Vec<_> = expected.iter().flat_map(|&byte| [QUInt8(byte); 2]).collect();
        assert_eq!(out[0].as_slice::<QUInt8>().unwrap(), [&expected[..], &expected].concat());
        assert_close(&out[1], &ends[0].into(), 4.0);
        assert_close(&out[2], &ends[1].into(), 4.0);
    }

    #[test]
    fn instances_are_those_of_tensorflow() {
        check_instances(&[], [0, 51, 103, 153, 205, 255], [-1.463_748_3, 1.463_748_3]);
        check_instances(&[("min_separation", 10f32.into())], [0, 15, 30, 44, 59, 74], [-1.463_748_3, 8.536_252]);
        let given =
            [("output_range_given", true.into()), ("given_y_min", (-1f32).into()), ("given_y_max", 1.5f32.into())];
        check_instances(&given, [0, 12, 72, 132, 192, 251], [-1.0, 1.5]);
        let nothing = [("variance_epsilon", (-5f32).into())];
        check_instances(&nothing, [0; 6], [f32::INFINITY; 2]);
    }

    #[test]
    fn ranges_of_instances_must_be_some() {
        let fails = |attrs: &[(&str, AttrValue)], low: f32| {
            let inputs = vec![bytes(&[1, 1, 1, 1], &[3]), low.into(), 1f32.into()];
            run("QuantizedInstanceNorm", attrs, inputs).is_err()
        };
        assert!(!fails(&[], -1.0));
        assert!(fails(&[], 1.0) && fails(&[], f32::NAN));
        assert!(fails(&[("output_range_given", true.into())], -1.0));
    }

    fn batch_norm(variances: [u8; 2], epsilon: f32, scales: bool, range: [f32; 2]) -> Vec<i32> {
        let values: Vec<u8> = (0..8).map(|at| at * 30).collect();
        let ranges = [range, [-1.0, 1.0], [0.0, 4.0], [-2.0, 2.0], [0.0, 2.0]];
        let tensors = [
            bytes(&[1, 2, 2, 2], &values),
            bytes(&[2], &[10, 20]),
            bytes(&[2], &variances),
            bytes(&[2], &[5, 250]),
            bytes(&[2], &[128, 30]),
        ];
        let inputs =
            tensors.into_iter().zip(ranges).flat_map(|(tensor, [low, high])| [tensor, low.into(), high.into()]);
        let attrs = [
            ("out_type", DType::QInt32.into()),
            ("variance_epsilon", epsilon.into()),
            ("scale_after_normalization", scales.into()),
        ];
        let out = run("QuantizedBatchNormWithGlobalNormalization", &attrs, inputs.collect()).unwrap();
        assert_eq!([&out[1], &out[2]].map(|end| end.to_scalar::<f32>().unwrap()), [RANGE.0, RANGE.1]);
        out[0].as_slice::<QInt32>().unwrap().iter().map(|value| value.0).collect()
    }

    #[test]
    fn given_statistics_are_used_as_in_tensorflow() {
        let out = batch_norm([100, 200], 0.001, true, [-3.0, 3.0]);
        assert_eq!(out, [-7355, 3553, -5038, 3937, -2722, 4320, -406, 4704]);
        let out = batch_norm([100, 200], 0.001, false, [-3.0, 3.0]);
        assert_eq!(out, [-7343, 2257, -5035, 3889, -2727, 5520, -419, 7152]);
        let (least, most) = (i32::MIN, 2_146_435_072);
        let out = batch_norm([0, 0], 0.0, true, [-3.0, 3.0]);
        assert_eq!(out, [least, least, most, most, least, least, least, most]);
        assert_eq!(batch_norm([100, 200], 0.001, true, [2.0; 2]), [869, 4724, 869, 4724, 869, 4724, 869, 4724]);
    }
}
