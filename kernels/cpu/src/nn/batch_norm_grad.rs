//! The gradients of batch normalisation, for the three versions of `FusedBatchNormGrad`.
//!
//! `y_backprop` and `x` have one shape; `scale`, the mean and the variance, inputs 2 to 4, are vectors as long as its channel
//! axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over all values of a channel:
//! `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and `x_backprop = scale * r *
//! (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`, `scale * r * y_backprop` without.
//! Two empty vectors follow. Computed in f32, sums in f64.

use oplink::prelude::*;

use super::batch_norm::Layout;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

/// `x_backprop` of a value: `gradient * of_gradient + x * of_x + constant`.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    of_gradient: f32,
    of_x: f32,
    constant: f32,
}

/// Sets outputs 0 to 4 from inputs 0 to 4.
pub(super) fn batch_norm_grad<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = context.input(1).shape().clone();
    let layout = Layout::of(context, &shape)?;
    let gradient = context.input(0).shape();
    ensure!(*gradient == shape, "x and y_backprop must have the same shape, they are {shape} and {gradient}");
    for (index, name) in ["scale", "the mean", "the variance"].into_iter().enumerate() {
        let vector = context.input(index + 2).shape();
        ensure!(
            vector.dims() == [layout.channels],
            "{name} must have an element for each of the {} channels of x, its shape is {vector}",
            layout.channels
        );
    }
    let (gradient, x) = (lanes_of(context.input(0).as_slice::<T>()?), lanes_of(context.input(1).as_slice::<T>()?));
    let sums = layout.gradient_sums(&gradient, &x, context.input(3).as_slice()?);
    let lines = layout.lines(context, &sums)?;
    let mut output = context.allocate_output(0, shape)?;
    fill_lanes(output.as_mut_slice::<T>()?, |out| layout.apply(context, (&gradient, &x), &lines, out));
    let variance = context.input(4).as_slice::<f32>()?;
    let epsilon = context.attr::<f32>("epsilon")?;
    let scale_backprop: Vec<f32> =
        sums.iter().zip(variance).map(|(sum, v)| (sum[1] / f64::from(v + epsilon).sqrt()) as f32).collect();
    let offset_backprop: Vec<f32> = sums.iter().map(|sum| sum[0] as f32).collect();
    drop((gradient, x));
    context.set_output(0, output);
    context.set_output(1, Tensor::from_slice(&scale_backprop));
    context.set_output(2, Tensor::from_slice(&offset_backprop));
    context.set_output(3, Tensor::from_slice::<f32>(&[]));
    context.set_output(4, Tensor::from_slice::<f32>(&[]));
    Ok(())
}

impl Layout {
    /// The sums of each channel's gradients, and of their products with `x - mean`.
    fn gradient_sums(&self, gradient: &[f32], x: &[f32], mean: &[f32]) -> Vec<[f64; 2]> {
        let mut sums = vec![[0f64; 2]; self.channels];
        let item = (self.channels * self.inner).max(1);
        for (gradient, x) in gradient.chunks_exact(item).zip(x.chunks_exact(item)) {
            let runs = gradient.chunks_exact(self.inner).zip(x.chunks_exact(self.inner));
            for (((gradient, x), sum), &mean) in runs.zip(&mut sums).zip(mean) {
                for (&gradient, &x) in gradient.iter().zip(x) {
                    sum[0] += f64::from(gradient);
                    sum[1] += f64::from(gradient) * f64::from(x - mean);
                }
            }
        }
        sums
    }

    /// What makes `x_backprop` of the values of each channel.
    fn lines(&self, context: &KernelContext<'_>, sums: &[[f64; 2]]) -> Result<Vec<Line>> {
        let (epsilon, training) = (context.attr::<f32>("epsilon")?, context.attr::<bool>("is_training")?);
        let (scale, mean) = (context.input(2).as_slice::<f32>()?, context.input(3).as_slice::<f32>()?);
        let variance = context.input(4).as_slice::<f32>()?;
        let count = self.count().max(1) as f64;
        let channels = scale.iter().zip(mean).zip(variance).zip(sums);
        let line = |(((scale, mean), variance), sum): (((&f32, &f32), &f32), &[f64; 2])| {
            let variance = f64::from(variance + epsilon);
            let of_gradient = f64::from(*scale) / variance.sqrt();
            if !training {
                return Line { of_gradient: of_gradient as f32, ..Line::default() };
            }
            let of_x = -of_gradient * sum[1] / count / variance;
            let constant = -of_gradient * sum[0] / count - of_x * f64::from(*mean);
            Line { of_gradient: of_gradient as f32, of_x: of_x as f32, constant: constant as f32 }
        };
        Ok(channels.map(line).collect())
    }

    fn apply(&self, context: &KernelContext<'_>, (gradient, x): (&[f32], &[f32]), lines: &[Line], out: &mut [f32]) {
        let item = self.channels * self.inner;
        if out.is_empty() {
            return;
        }
        for_each_row(context.env(), out, item, GRAIN, &|index, out| {
            let (gradient, x) = (&gradient[index * item..][..item], &x[index * item..][..item]);
            let runs = gradient.chunks_exact(self.inner).zip(x.chunks_exact(self.inner));
            for ((out, (gradient, x)), line) in out.chunks_exact_mut(self.inner).zip(runs).zip(lines) {
                for ((out, gradient), x) in out.iter_mut().zip(gradient).zip(x) {
                    *out = gradient * line.of_gradient + x * line.of_x + line.constant;
                }
            }
        });
    }
}
