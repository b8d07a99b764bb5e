//! Batch normalisation, for the three versions of `FusedBatchNorm`.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
//! `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training with
//! an `exponential_avg_factor` of 1, which does not read them.
//!
//! With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
//! new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
//! `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
//! `x`, the averages are NaN. Computed in f32.

use oplink::{KernelEnv, prelude::*};

use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

/// `x` as [items, channels, inner]; inner is 1 where channels are last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) items: usize,
    pub(super) channels: usize,
    pub(super) inner: usize,
}

/// A mean and a variance for each channel.
#[derive(Clone)]
struct Statistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

impl Statistics {
    /// Those of inputs 3 and 4.
    fn given(context: &KernelContext<'_>) -> Result<Self> {
        let vector = |index: usize| context.input(index).as_slice::<f32>().map(<[f32]>::to_vec);
        Ok(Self { mean: vector(3)?, variance: vector(4)? })
    }

    /// Those of nothing.
    fn unknown(channels: usize) -> Self {
        Self { mean: vec![f32::NAN; channels], variance: vec![f32::NAN; channels] }
    }
}

/// What a fused normalisation does to its result: adds a tensor of its shape, replaces negative values by 0.
#[derive(Clone, Copy, Default)]
pub(super) struct After<'a> {
    pub(super) side: Option<&'a [f32]>,
    pub(super) relu: bool,
}

/// Sets outputs 0 to 4 from inputs 0 to 4.
pub(super) fn batch_norm<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>, after: After<'_>) -> Result<()> {
    let layout = Layout::new(context)?;
    let epsilon = context.attr::<f32>("epsilon")?;
    let x = lanes_of(context.input(0).as_slice::<T>()?);
    let given = Statistics::given(context)?;
    let (averages, used) = if context.attr("is_training")? {
        let batch = layout.statistics(&x);
        (layout.averages(&given, &batch, context.attr("exponential_avg_factor")?), batch)
    } else if x.is_empty() {
        (Statistics::unknown(layout.channels), given)
    } else {
        (given.clone(), given)
    };
    let factors: Vec<f32> =
        context.input(1).as_slice::<f32>()?.iter().zip(&used.variance).map(|(s, v)| s / (v + epsilon).sqrt()).collect();
    let mut y = context.allocate_output(0, context.input(0).shape().clone())?;
    let offset = context.input(2).as_slice::<f32>()?;
    fill_lanes(y.as_mut_slice::<T>()?, |y| {
        layout.normalize(context.env(), &x, (&used.mean, &factors, offset), after, y);
    });
    drop(x);
    context.set_output(0, y);
    for (index, values) in [averages.mean, averages.variance, used.mean, used.variance].into_iter().enumerate() {
        context.set_output(index + 1, Tensor::from_slice(&values));
    }
    Ok(())
}

impl Layout {
    /// Of the channels of `shape` in the op's data format.
    pub(super) fn of(context: &KernelContext<'_>, shape: &Shape) -> Result<Self> {
        let format = context.attr::<&str>("data_format")?;
        ensure!(shape.rank() == format.len(), "x must be of rank {} for {format}, its shape is {shape}", format.len());
        let axis = format.find('C').unwrap_or(shape.rank() - 1);
        let items = shape[..axis].iter().product();
        Ok(Self { items, channels: shape[axis], inner: shape[axis + 1..].iter().product() })
    }

    fn new(context: &KernelContext<'_>) -> Result<Self> {
        let layout = Self::of(context, context.input(0).shape())?;
        let channels = layout.channels;
        let averaged = !context.attr::<bool>("is_training")? || context.attr::<f32>("exponential_avg_factor")? != 1.0;
        for (index, name) in ["scale", "offset", "mean", "variance"].into_iter().enumerate() {
            let vector = context.input(index + 1).shape();
            let unused = index >= 2 && !averaged;
            ensure!(
                vector.dims() == [channels] || unused,
                "{name} must have an element for each of the {channels} channels of x, its shape is {vector}"
            );
        }
        Ok(layout)
    }

    /// Values of each channel.
    pub(super) fn count(&self) -> usize {
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
        after: After<'_>,
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
            } else {
                for (channel, (y, x)) in y.chunks_exact_mut(self.inner).zip(x.chunks_exact(self.inner)).enumerate() {
                    let (mean, factor, offset) = (mean[channel], factors[channel], offset[channel]);
                    y.iter_mut().zip(x).for_each(|(y, x)| *y = (x - mean) * factor + offset);
                }
            }
            if let Some(side) = after.side {
                y.iter_mut().zip(&side[index * item..]).for_each(|(y, side)| *y += side);
            }
            if after.relu {
                y.iter_mut().for_each(|y| *y = if *y < 0.0 { 0.0 } else { *y });
            }
        });
    }
}
