//! `FusedBatchNorm`, `FusedBatchNormV2` and `FusedBatchNormV3`: normalises each channel.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
//! `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may be empty while training with an
//! `exponential_avg_factor` of 1.
//!
//! With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the new
//! running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
//! `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
//! `x`, the averages are NaN. `reserve_space_3` is a scalar 0. Computed in f32.

use oplink::{KernelEnv, prelude::*};

use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

/// Normalises each channel of `x`.
#[op("FusedBatchNorm",
     input = "x: T",
     input = "scale: T",
     input = "offset: T",
     input = "mean: T",
     input = "variance: T",
     output = "y: T",
     output = "batch_mean: T",
     output = "batch_variance: T",
     output = "reserve_space_1: T",
     output = "reserve_space_2: T",
     attr = "T: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNorm;

/// Normalises each channel of `x`.
#[op("FusedBatchNormV2",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNormV2;

/// Normalises each channel of `x`.
#[op("FusedBatchNormV3",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     output = "reserve_space_3: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {bfloat16, float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNormV3;

/// `FusedBatchNorm` in f32.
#[kernel(FusedBatchNorm, device = CPU, T = [f32])]
pub fn fused_batch_norm_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<f32>(context)
}

/// `FusedBatchNormV2` with statistics in f32.
#[kernel(FusedBatchNormV2, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v2_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<T>(context)
}

/// `FusedBatchNormV3` with statistics in f32.
#[kernel(FusedBatchNormV3, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v3_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<T>(context)?;
    context.set_scalar(5, 0f32);
    Ok(())
}

/// `x` as [items, channels, inner]; inner is 1 where channels are last.
#[derive(Debug, Clone, Copy)]
struct Layout {
    items: usize,
    channels: usize,
    inner: usize,
}

/// A mean and a variance for each channel.
struct Statistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

fn batch_norm<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let layout = Layout::new(context)?;
    let epsilon = context.attr::<f32>("epsilon")?;
    let given = Statistics {
        mean: context.input(3).as_slice::<f32>()?.to_vec(),
        variance: context.input(4).as_slice::<f32>()?.to_vec(),
    };
    let x = lanes_of(context.input(0).as_slice::<T>()?);
    let (averages, used) = if context.attr("is_training")? {
        let batch = layout.statistics(&x);
        (layout.averages(&given, &batch, context.attr("exponential_avg_factor")?), batch)
    } else if x.is_empty() {
        let nan = || vec![f32::NAN; layout.channels];
        (Statistics { mean: nan(), variance: nan() }, given)
    } else {
        (Statistics { mean: given.mean.clone(), variance: given.variance.clone() }, given)
    };
    let factors: Vec<f32> =
        context.input(1).as_slice::<f32>()?.iter().zip(&used.variance).map(|(s, v)| s / (v + epsilon).sqrt()).collect();
    let mut y = context.allocate_output(0, context.input(0).shape().clone())?;
    let offset = context.input(2).as_slice::<f32>()?;
    fill_lanes(y.as_mut_slice::<T>()?, |y| layout.normalize(context.env(), &x, (&used.mean, &factors, offset), y));
    drop(x);
    context.set_output(0, y);
    for (index, values) in [averages.mean, averages.variance, used.mean, used.variance].into_iter().enumerate() {
        context.set_output(index + 1, Tensor::from_slice(&values));
    }
    Ok(())
}

impl Layout {
    fn new(context: &KernelContext<'_>) -> Result<Self> {
        let format = context.attr::<&str>("data_format")?;
        let shape = context.input(0).shape();
        ensure!(shape.rank() == format.len(), "x must be of rank {} for {format}, its shape is {shape}", format.len());
        let axis = format.find('C').unwrap_or(shape.rank() - 1);
        let channels = shape[axis];
        let averaged = !context.attr::<bool>("is_training")? || context.attr::<f32>("exponential_avg_factor")? != 1.0;
        for (index, name) in ["scale", "offset", "mean", "variance"].into_iter().enumerate() {
            let vector = context.input(index + 1).shape();
            let unused = index >= 2 && !averaged && vector.dims() == [0];
            ensure!(
                vector.dims() == [channels] || unused,
                "{name} must have an element for each of the {channels} channels of x, its shape is {vector}"
            );
        }
        let items = shape[..axis].iter().product();
        Ok(Self { items, channels, inner: shape[axis + 1..].iter().product() })
    }

    /// Values of each channel.
    fn count(&self) -> usize {
        self.items * self.inner
    }

    /// Calls `visit` with each channel and each value of it.
    fn each(&self, x: &[f32], mut visit: impl FnMut(usize, f32)) {
        for item in x.chunks_exact((self.channels * self.inner).max(1)) {
            for (channel, run) in item.chunks_exact(self.inner).enumerate() {
                for &value in run {
                    visit(channel, value);
                }
            }
        }
    }

    /// The batch's mean and biased variance of each channel.
    fn statistics(&self, x: &[f32]) -> Statistics {
        let count = self.count() as f64;
        let mut mean = vec![0f64; self.channels];
        self.each(x, |channel, value| mean[channel] += f64::from(value));
        for sum in &mut mean {
            *sum /= count;
        }
        let mut variance = vec![0f64; self.channels];
        self.each(x, |channel, value| variance[channel] += (f64::from(value) - mean[channel]).powi(2));
        let single = |values: Vec<f64>, divisor: f64| values.into_iter().map(|v| (v / divisor) as f32).collect();
        Statistics { mean: single(mean, 1.0), variance: single(variance, count) }
    }

    /// The running averages after a batch.
    fn averages(&self, given: &Statistics, batch: &Statistics, factor: f32) -> Statistics {
        let unbiased = self.count() as f32 / self.count().saturating_sub(1).max(1) as f32;
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

    fn normalize(
        &self,
        env: &dyn KernelEnv,
        x: &[f32],
        (mean, factors, offset): (&[f32], &[f32], &[f32]),
        y: &mut [f32],
    ) {
        let item = self.channels * self.inner;
        if y.is_empty() {
            return;
        }
        for_each_row(env, y, item, GRAIN, &|index, y| {
            let x = &x[index * item..][..item];
            if self.inner == 1 {
                for ((((y, x), mean), factor), offset) in y.iter_mut().zip(x).zip(mean).zip(factors).zip(offset) {
                    *y = (x - mean) * factor + offset;
                }
                return;
            }
            for (channel, (y, x)) in y.chunks_exact_mut(self.inner).zip(x.chunks_exact(self.inner)).enumerate() {
                let (mean, factor, offset) = (mean[channel], factors[channel], offset[channel]);
                y.iter_mut().zip(x).for_each(|(y, x)| *y = (x - mean) * factor + offset);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run};

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
    fn training_averages_the_batch_in() {
        let out = normalize(&[("exponential_avg_factor", 0.1.into())]);
        assert_close(&out[1], &Tensor::from_slice(&[1.2f32, 2.2]), 2.0);
        assert_close(&out[2], &Tensor::from_slice(&[1.566_666_6f32, 4.266_666_4]), 2.0);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [3.0, 4.0]);
        assert_eq!(out[4].as_slice::<f32>().unwrap(), [5.0, 5.0]);
        assert!((out[0].as_slice::<f32>().unwrap()[0] + 1.341_627_4).abs() < 1e-6);
    }
}
