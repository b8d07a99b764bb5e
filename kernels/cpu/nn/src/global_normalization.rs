//! `BatchNormWithGlobalNormalization` and its gradients: each channel normalised by given statistics.

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::nn::{BatchNormWithGlobalNormalization, BatchNormWithGlobalNormalizationGrad};
use oplink_ops::nn::{BatchNormWithGlobalNormalizationGradInputs, BatchNormWithGlobalNormalizationGradOutputs};

/// The channels of `t`, and the vectors by channel.
fn by_channel<'t, T: Element, const N: usize>(
    t: &'t Tensor,
    vectors: [&'t Tensor; N],
) -> Result<(usize, [&'t [T]; N])> {
    let &[.., channels] = t.shape().dims() else { bail!("t must be of rank 4, it is a scalar") };
    ensure!(t.rank() == 4, "t must be of rank 4, its shape is {}", t.shape());
    let mut slices: [&[T]; N] = [&[]; N];
    for (slice, vector) in slices.iter_mut().zip(vectors) {
        let fits = vector.shape().dims() == [channels];
        ensure!(fits, "a vector must have an entry for each of {channels} channels, its shape is {}", vector.shape());
        *slice = vector.as_slice()?;
    }
    Ok((channels, slices))
}

/// 1 over the square root of the variance.
fn scales<T: Float>(variances: &[T], epsilon: f32) -> Vec<T> {
    variances.iter().map(|&variance| (variance + T::from_f32(epsilon)).sqrt().recip()).collect()
}

/// `BatchNormWithGlobalNormalization`, computed in the op's dtype.
#[kernel(BatchNormWithGlobalNormalization, device = CPU, T = [f16, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn batch_norm_with_global_normalization_cpu<T: Float>(
    t: &Tensor,
    m: &Tensor,
    v: &Tensor,
    beta: &Tensor,
    gamma: &Tensor,
    variance_epsilon: f32,
    scale_after_normalization: bool,
    result: &mut Tensor,
) -> Result<()> {
    let (channels, [mean, variance, beta, gamma]) = by_channel::<T, 4>(t, [m, v, beta, gamma])?;
    let mut scales = scales(variance, variance_epsilon);
    if scale_after_normalization {
        scales.iter_mut().zip(gamma).for_each(|(scale, &gamma)| *scale = *scale * gamma);
    }
    let pixels = t.as_slice::<T>()?.chunks_exact(channels.max(1));
    for (pixel, out) in pixels.zip(result.as_mut_slice::<T>()?.chunks_exact_mut(channels.max(1))) {
        for (channel, (&value, out)) in pixel.iter().zip(out).enumerate() {
            *out = (value - mean[channel]) * scales[channel] + beta[channel];
        }
    }
    Ok(())
}

/// `BatchNormWithGlobalNormalizationGrad`, computed in the op's dtype.
#[kernel(BatchNormWithGlobalNormalizationGrad, device = CPU, T = [f16, f32, f64])]
pub fn batch_norm_with_global_normalization_grad_cpu<T: Float>(
    inputs: BatchNormWithGlobalNormalizationGradInputs<'_>,
    outputs: &mut BatchNormWithGlobalNormalizationGradOutputs<'_>,
    variance_epsilon: f32,
    scale_after_normalization: bool,
) -> Result<()> {
    let (t, backprop) = (&*inputs.t, &*inputs.backprop);
    let vectors = [&*inputs.m, &*inputs.v, &*inputs.gamma];
    let (channels, [mean, variance, gamma]) = by_channel::<T, 3>(t, vectors)?;
    let fits = backprop.shape() == t.shape();
    ensure!(fits, "backprop must have the shape {}, it has {}", t.shape(), backprop.shape());
    let (values, gradients) = (t.as_slice::<T>()?, backprop.as_slice::<T>()?);
    let scales = scales(variance, variance_epsilon);
    let factor = |channel: usize| match scale_after_normalization {
        true => scales[channel] * gamma[channel],
        false => scales[channel],
    };
    let dx = outputs.dx.allocate(t.shape().clone())?.as_mut_slice::<T>()?;
    let mut sums = try_filled([0f64; 2], channels)?;
    for (at, (out, (&value, &gradient))) in dx.iter_mut().zip(values.iter().zip(gradients)).enumerate() {
        let channel = at % channels;
        *out = gradient * factor(channel);
        sums[channel][0] += gradient.to_f64().unwrap_or(0.0);
        sums[channel][1] += (gradient * (value - mean[channel])).to_f64().unwrap_or(0.0);
    }
    let vector = |f: &dyn Fn(usize) -> T| Tensor::from_slice(&(0..channels).map(f).collect::<Vec<_>>());
    let sum = |channel: usize, which: usize| T::from_float(sums[channel][which]);
    let cubed = |channel: usize| scales[channel] * scales[channel] * scales[channel];
    outputs.dm.set(vector(&|channel| -sum(channel, 0) * factor(channel)));
    outputs.dv.set(vector(&|channel| {
        let half = sum(channel, 1) * T::from_float(-0.5) * cubed(channel);
        if scale_after_normalization { half * gamma[channel] } else { half }
    }));
    outputs.db.set(vector(&|channel| sum(channel, 0)));
    outputs.dg.set(vector(&|channel| match scale_after_normalization {
        true => sum(channel, 1) * scales[channel],
        false => T::zero(),
    }));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn channels_are_normalised() {
        let t = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 3.0]).unwrap();
        let vectors: [Tensor; 4] = [[1f32].into(), [3f32].into(), [0.5f32].into(), [2f32].into()];
        let attrs: [(&str, AttrValue); 2] =
            [("variance_epsilon", AttrValue::Float(1.0)), ("scale_after_normalization", true.into())];
        let out = run("BatchNormWithGlobalNormalization", &attrs, [vec![t], vectors.to_vec()].concat()).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.5, 2.5]);
    }
}
