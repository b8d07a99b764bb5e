//! `FusedBatchNorm` in its three versions, and `_FusedBatchNormEx`: each channel normalised.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
//! `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training
//! with an `exponential_avg_factor` of 1, which does not read them.
//!
//! With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
//! new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
//! `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
//! `x`, the averages are NaN. `reserve_space_3` is a scalar 0. Computed in f32.
//!
//! `_FusedBatchNormEx` computes `y = activation(normalised x + side_input)`; there is at most one `side_input`, of the
//! shape of `x`. `activation_mode` is `Identity` or `Relu`.

use oplink::{KernelEnv, prelude::*};

use super::channels::{After, Layout, Terms};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::attrs::ImageOrVolumeFormat;
use oplink_ops::nn::{
    _FusedBatchNormEx, _FusedBatchNormExAttrs, _FusedBatchNormExInputs, _FusedBatchNormExOutputs, FusedBatchNorm,
    FusedBatchNormAttrs, FusedBatchNormInputs, FusedBatchNormOutputs, FusedBatchNormV2, FusedBatchNormV2Attrs,
    FusedBatchNormV2Inputs, FusedBatchNormV2Outputs, FusedBatchNormV3, FusedBatchNormV3Attrs, FusedBatchNormV3Inputs,
    FusedBatchNormV3Outputs,
};

/// The arguments of an op of this kin, without those that only one has.
macro_rules! arguments {
    ($inputs:ident, $attrs:ident, $outputs:ident) => {{
        let given = Given {
            x: &$inputs.x,
            scale: &$inputs.scale,
            offset: &$inputs.offset,
            mean: &$inputs.mean,
            variance: &$inputs.variance,
            epsilon: $attrs.epsilon,
            factor: $attrs.exponential_avg_factor,
            format: $attrs.data_format.into(),
            is_training: $attrs.is_training,
        };
        let results = Results {
            y: &mut $outputs.y,
            statistics: [
                &mut $outputs.batch_mean,
                &mut $outputs.batch_variance,
                &mut $outputs.reserve_space_1,
                &mut $outputs.reserve_space_2,
            ],
        };
        (given, results)
    }};
}

/// `FusedBatchNorm` with statistics in f32.
#[kernel(FusedBatchNorm, device = CPU, T = [f32])]
pub fn fused_batch_norm_cpu(
    inputs: FusedBatchNormInputs<'_>,
    attrs: FusedBatchNormAttrs<'_>,
    outputs: &mut FusedBatchNormOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (given, results) = arguments!(inputs, attrs, outputs);
    batch_norm::<f32>(given, After::default(), results, &env)
}

/// `FusedBatchNormV2` with statistics in f32.
#[kernel(FusedBatchNormV2, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v2_cpu<T: Computed<ComputeType = f32>>(
    inputs: FusedBatchNormV2Inputs<'_>,
    attrs: FusedBatchNormV2Attrs<'_>,
    outputs: &mut FusedBatchNormV2Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (given, results) = arguments!(inputs, attrs, outputs);
    batch_norm::<T>(given, After::default(), results, &env)
}

/// `FusedBatchNormV3` with statistics in f32.
#[kernel(FusedBatchNormV3, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v3_cpu<T: Computed<ComputeType = f32>>(
    inputs: FusedBatchNormV3Inputs<'_>,
    attrs: FusedBatchNormV3Attrs<'_>,
    outputs: &mut FusedBatchNormV3Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    outputs.reserve_space_3.set_scalar(0f32);
    let (given, results) = arguments!(inputs, attrs, outputs);
    batch_norm::<T>(given, After::default(), results, &env)
}

/// `_FusedBatchNormEx` with statistics in f32.
#[kernel(_FusedBatchNormEx, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_ex_cpu<T: Computed<ComputeType = f32>>(
    inputs: _FusedBatchNormExInputs<'_>,
    attrs: _FusedBatchNormExAttrs<'_>,
    outputs: &mut _FusedBatchNormExOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let relu = match attrs.activation_mode {
        "Identity" => false,
        "Relu" => true,
        other => return Err(Error::unimplemented(format!("_FusedBatchNormEx has no activation {other}"))),
    };
    let side = match &*inputs.side_input {
        [] => None,
        [side] => {
            let shape = inputs.x.shape();
            ensure!(side.shape() == shape, "side_input must have the shape {shape}, its shape is {}", side.shape());
            Some(computed_of(side.as_slice::<T>()?))
        }
        more => bail!("_FusedBatchNormEx takes one side_input at most, {} are given", more.len()),
    };
    outputs.reserve_space_3.set_scalar(0f32);
    let (given, results) = arguments!(inputs, attrs, outputs);
    batch_norm::<T>(given, After { side: side.as_deref(), relu }, results, &env)
}

/// The arguments of a normalisation.
struct Given<'a> {
    x: &'a Tensor,
    scale: &'a Tensor,
    offset: &'a Tensor,
    mean: &'a Tensor,
    variance: &'a Tensor,
    epsilon: f32,
    factor: f32,
    format: ImageOrVolumeFormat,
    is_training: bool,
}

/// The outputs of a normalisation.
struct Results<'a, 'c> {
    y: &'a mut OutputSlot<'c>,
    /// The averages and the statistics used, a mean and a variance each.
    statistics: [&'a mut OutputSlot<'c>; 4],
}

impl Given<'_> {
    /// The layout of `x`, after the check of the vectors.
    fn layout(&self) -> Result<Layout> {
        let layout = Layout::of(self.format, self.x.shape())?;
        let channels = layout.channels;
        let averaged = !self.is_training || self.factor != 1.0;
        let statistics = [("mean", self.mean), ("variance", self.variance)];
        let read = if averaged { &statistics[..] } else { &[] };
        for (name, vector) in [("scale", self.scale), ("offset", self.offset)].iter().chain(read) {
            ensure!(
                vector.shape().dims() == [channels],
                "{name} must have an element for each of the {channels} channels of x, its shape is {}",
                vector.shape()
            );
        }
        Ok(layout)
    }

    fn statistics(&self) -> Result<Statistics> {
        Ok(Statistics { mean: self.mean.as_slice()?.to_vec(), variance: self.variance.as_slice()?.to_vec() })
    }
}

/// A mean and a variance for each channel.
#[derive(Clone)]
struct Statistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

impl Statistics {
    /// Those of nothing.
    fn unknown(channels: usize) -> Self {
        // bounded: as many as the inputs `scale` and `offset` have
        Self { mean: vec![f32::NAN; channels], variance: vec![f32::NAN; channels] }
    }
}

fn batch_norm<T: Computed<ComputeType = f32>>(
    given: Given<'_>,
    after: After<'_>,
    results: Results<'_, '_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let layout = given.layout()?;
    let x = computed_of(given.x.as_slice::<T>()?);
    let known = given.statistics()?;
    let (averages, used) = if given.is_training {
        let batch = batch_statistics(&layout, env, &x);
        (averages(&layout, &known, &batch, given.factor), batch)
    } else if x.is_empty() {
        (Statistics::unknown(layout.channels), known)
    } else {
        (known.clone(), known)
    };
    let scale = given.scale.as_slice::<f32>()?;
    let factors: Vec<f32> = scale.iter().zip(&used.variance).map(|(s, v)| s / (v + given.epsilon).sqrt()).collect();
    let offset = given.offset.as_slice::<f32>()?;
    let y = results.y.allocate(given.x.shape().clone())?;
    fill_computed(y.as_mut_slice::<T>()?, |y| layout.normalize(env, &x, (&used.mean, &factors, offset), after, y));
    let statistics = [averages.mean, averages.variance, used.mean, used.variance];
    for (output, values) in results.statistics.into_iter().zip(statistics) {
        output.set(Tensor::from_slice(&values));
    }
    Ok(())
}

/// The batch's mean and biased variance of each channel.
fn batch_statistics(layout: &Layout, env: &dyn KernelEnv, x: &[f32]) -> Statistics {
    let count = layout.count() as f64;
    // A value of each channel, so that sums of differences to it are small where a channel varies little.
    let centre: Vec<f32> = match x.get(..layout.channels * layout.inner) {
        Some(item) if layout.count() > 0 => item.iter().step_by(layout.inner).map(|v| finite_or_zero(*v)).collect(),
        // bounded: as many as the inputs `scale` and `offset` have
        _ => vec![0.0; layout.channels],
    };
    let sums = layout.sums(env, x, &centre, Terms::Powers);
    let moments = sums.iter().map(|[sum, squares]| (sum / count, squares / count));
    let (mean, variance) = moments
        .zip(&centre)
        .map(|((mean, square), centre)| ((f64::from(*centre) + mean) as f32, not_below_zero(square - mean * mean)))
        .unzip();
    Statistics { mean, variance }
}

fn finite_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

/// Rounding leaves less than 0 where all values are alike; NaN stays.
fn not_below_zero(value: f64) -> f32 {
    if value < 0.0 { 0.0 } else { value as f32 }
}

/// The running averages after a batch.
fn averages(layout: &Layout, given: &Statistics, batch: &Statistics, factor: f32) -> Statistics {
    let unbiased = layout.count() as f32 / layout.count().saturating_sub(1).max(1) as f32;
    let average = |given: &[f32], batch: &[f32], scale: f32| {
        let new = batch.iter().map(|value| value * scale);
        if factor == 1.0 {
            return new.collect();
        }
        new.zip(given).map(|(new, given)| (1.0 - factor) * given + factor * new).collect()
    };
    Statistics {
        mean: average(&given.mean, &batch.mean, 1.0),
        variance: average(&given.variance, &batch.variance, unbiased),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    #[test]
    fn normalizes_by_the_given_statistics() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 5.0]).unwrap();
        let vectors = [2f32, 0.5, 3.0, 1.0].map(|v| Tensor::from_slice(&[v]));
        let attrs = [("is_training", false.into()), ("epsilon", 3.0.into())];
        for op in ["FusedBatchNorm", "FusedBatchNormV2"] {
            let inputs = [x.clone()].into_iter().chain(vectors.clone()).collect();
            let out = run(op, &attrs, inputs).unwrap();
            assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.5, 2.5], "{op}");
            assert_eq!(out.len(), 5, "{op}");
        }
    }

    fn normalize(attrs: &[(&str, AttrValue)]) -> Vec<Tensor> {
        let x = Tensor::from_vec([1, 2, 2, 2], (0u8..8).map(f32::from).collect()).unwrap();
        let vectors = [[1f32, 2.0], [0.0, 1.0], [1.0, 2.0], [1.0, 4.0]].map(|v| Tensor::from_slice(&v));
        run("FusedBatchNormV3", attrs, [x].into_iter().chain(vectors).collect()).unwrap()
    }

    #[test]
    fn inference_uses_the_given_statistics() {
        let out = normalize(&[("is_training", false.into())]);
        let y = [-0.999_95, 1.251_697_5e-5, 0.999_95, 1.999_987_5, 2.999_850_3, 3.999_962_3, 4.999_75, 5.999_937_5];
        // The second value is what is left of 1 - 1 and has the rounding error of numbers near 1.
        let shifted = |values: &[f32]| Tensor::from_slice(&values.iter().map(|v| v + 8.0).collect::<Vec<_>>());
        assert_close(&shifted(out[0].as_slice().unwrap()), &shifted(&y), 2.0);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.0, 2.0]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [1.0, 4.0]);
    }

    #[test]
    fn given_statistics_that_are_not_averaged_in_are_not_looked_at() {
        let vectors = [&[2f32, 0.5][..], &[1.0, 2.0], &[3.0], &[]].map(Tensor::from_slice);
        let with = |x: Tensor| [x].into_iter().chain(vectors.clone()).collect::<Vec<Tensor>>();
        let inputs = with(Tensor::full([0, 1, 1, 2], 0f32));
        assert!(run("FusedBatchNormV3", &[("is_training", false.into())], inputs.clone()).is_err());
        assert!(run("FusedBatchNormV3", &[("exponential_avg_factor", 0.5.into())], inputs.clone()).is_err());
        let out = run("FusedBatchNormV3", &[], inputs).unwrap();
        assert_eq!(out[0].shape().dims(), [0, 1, 1, 2]);
        for average in &out[1..3] {
            assert_close(average, &Tensor::from_slice(&[f32::NAN; 2]), 0.0);
        }
        assert!(out[3..5].iter().all(|kept| kept.shape().dims() == [2]));
        let out = run("FusedBatchNormV3", &[], with(Tensor::full([1, 1, 2, 2], 3f32))).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [3.0, 3.0]);
    }

    #[test]
    fn training_averages_the_batch_in() {
        let out = normalize(&[("exponential_avg_factor", 0.1.into())]);
        assert_close(&out[1], &Tensor::from_slice(&[1.2f32, 2.2]), 2.0);
        assert_close(&out[2], &Tensor::from_slice(&[1.566_666_6f32, 4.266_666_4]), 2.0);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [3.0, 4.0]);
        assert_eq!(out[4].as_slice::<f32>().unwrap(), [5.0, 5.0]);
        assert!((out[0].as_slice::<f32>().unwrap()[0] + 1.341_627_4).abs() < 1e-6);
    }

    #[test]
    fn a_tensor_and_an_activation_follow() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 5.0]).unwrap();
        let side = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 4.0]).unwrap();
        let vectors = [2f32, 0.5, 3.0, 1.0].map(|v| Tensor::from_slice(&[v]));
        let attrs = [
            ("is_training", false.into()),
            ("epsilon", 3.0.into()),
            ("activation_mode", "Relu".into()),
            ("num_side_inputs", 1.into()),
        ];
        let out = run("_FusedBatchNormEx", &attrs, [x].into_iter().chain(vectors).chain([side]).collect()).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 6.5]);
    }
}
