//! `FusedBatchNormGrad` in its three versions: the gradient of `FusedBatchNorm`.
//!
//! `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are
//! vectors as long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over
//! all values of a channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and
//! `x_backprop = scale * r * (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`,
//! `scale * r * y_backprop` without. The last two outputs are empty vectors. `reserve_space_3` is not read. Computed in
//! f32, sums in f64.

use oplink::{KernelEnv, prelude::*};

use super::channels::{Layout, Lines, Terms};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::attrs::ImageOrVolumeFormat;
use oplink_ops::nn::{
    FusedBatchNormGrad, FusedBatchNormGradAttrs, FusedBatchNormGradInputs, FusedBatchNormGradOutputs,
    FusedBatchNormGradV2, FusedBatchNormGradV2Attrs, FusedBatchNormGradV2Inputs, FusedBatchNormGradV2Outputs,
    FusedBatchNormGradV3, FusedBatchNormGradV3Attrs, FusedBatchNormGradV3Inputs, FusedBatchNormGradV3Outputs,
};

/// The arguments of an op of this kin; the last two outputs have other names in V3.
macro_rules! arguments {
    ($inputs:ident, $attrs:ident, $outputs:ident, [$($empty:ident),*]) => {{
        $($outputs.$empty.set(Tensor::from_slice::<f32>(&[]));)*
        let given = Given {
            gradient: &$inputs.y_backprop,
            x: &$inputs.x,
            scale: &$inputs.scale,
            mean: &$inputs.reserve_space_1,
            variance: &$inputs.reserve_space_2,
            epsilon: $attrs.epsilon,
            format: $attrs.data_format.into(),
            is_training: $attrs.is_training,
        };
        let results = Results {
            x: &mut $outputs.x_backprop,
            scale: &mut $outputs.scale_backprop,
            offset: &mut $outputs.offset_backprop,
        };
        (given, results)
    }};
}

/// `FusedBatchNormGrad` with statistics in f32.
#[kernel(FusedBatchNormGrad, device = CPU, T = [f32])]
pub fn fused_batch_norm_grad_cpu(
    inputs: FusedBatchNormGradInputs<'_>,
    attrs: FusedBatchNormGradAttrs<'_>,
    outputs: &mut FusedBatchNormGradOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (given, results) = arguments!(inputs, attrs, outputs, [reserve_space_3, reserve_space_4]);
    batch_norm_grad::<f32>(&given, results, &env)
}

/// `FusedBatchNormGradV2` with statistics in f32.
#[kernel(FusedBatchNormGradV2, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v2_cpu<T: Computed<ComputeType = f32>>(
    inputs: FusedBatchNormGradV2Inputs<'_>,
    attrs: FusedBatchNormGradV2Attrs<'_>,
    outputs: &mut FusedBatchNormGradV2Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (given, results) = arguments!(inputs, attrs, outputs, [reserve_space_3, reserve_space_4]);
    batch_norm_grad::<T>(&given, results, &env)
}

/// `FusedBatchNormGradV3` with statistics in f32.
#[kernel(FusedBatchNormGradV3, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v3_cpu<T: Computed<ComputeType = f32>>(
    inputs: FusedBatchNormGradV3Inputs<'_>,
    attrs: FusedBatchNormGradV3Attrs<'_>,
    outputs: &mut FusedBatchNormGradV3Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (given, results) = arguments!(inputs, attrs, outputs, [reserve_space_4, reserve_space_5]);
    batch_norm_grad::<T>(&given, results, &env)
}

/// The arguments of a gradient.
struct Given<'a> {
    gradient: &'a Tensor,
    x: &'a Tensor,
    scale: &'a Tensor,
    mean: &'a Tensor,
    variance: &'a Tensor,
    epsilon: f32,
    format: ImageOrVolumeFormat,
    is_training: bool,
}

/// The outputs of a gradient that are not empty.
struct Results<'a, 'c> {
    x: &'a mut OutputSlot<'c>,
    scale: &'a mut OutputSlot<'c>,
    offset: &'a mut OutputSlot<'c>,
}

/// A number for each channel of each kind.
struct Vectors<'a> {
    scale: &'a [f32],
    mean: &'a [f32],
    variance: &'a [f32],
    epsilon: f32,
}

impl Given<'_> {
    /// The layout of `x`, after the check of the shapes.
    fn layout(&self) -> Result<Layout> {
        let (shape, gradient) = (self.x.shape(), self.gradient.shape());
        let layout = Layout::of(self.format, shape)?;
        ensure!(gradient == shape, "x and y_backprop must have the same shape, they are {shape} and {gradient}");
        for (name, vector) in [("scale", self.scale), ("the mean", self.mean), ("the variance", self.variance)] {
            ensure!(
                vector.shape().dims() == [layout.channels],
                "{name} must have an element for each of the {} channels of x, its shape is {}",
                layout.channels,
                vector.shape()
            );
        }
        Ok(layout)
    }
}

fn batch_norm_grad<T: Computed<ComputeType = f32>>(
    given: &Given<'_>,
    results: Results<'_, '_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let layout = given.layout()?;
    let vectors = Vectors {
        scale: given.scale.as_slice()?,
        mean: given.mean.as_slice()?,
        variance: given.variance.as_slice()?,
        epsilon: given.epsilon,
    };
    let (gradient, x) = (computed_of(given.gradient.as_slice::<T>()?), computed_of(given.x.as_slice::<T>()?));
    let sums = layout.sums(env, &x, vectors.mean, Terms::Products(&gradient));
    let lines = lines(&layout, &vectors, given.is_training, &sums);
    let output = results.x.allocate(given.x.shape().clone())?;
    fill_computed(output.as_mut_slice::<T>()?, |out| layout.combine(env, (&gradient, &x), &lines, out));
    let deviation = |variance: f32| f64::from(variance + given.epsilon).sqrt();
    let scale: Vec<f32> =
        sums.iter().zip(vectors.variance).map(|(sum, &variance)| (sum[1] / deviation(variance)) as f32).collect();
    let offset: Vec<f32> = sums.iter().map(|sum| sum[0] as f32).collect();
    results.scale.set(Tensor::from_slice(&scale));
    results.offset.set(Tensor::from_slice(&offset));
    Ok(())
}

/// What makes `x_backprop` of the gradients and the values of each channel.
fn lines(layout: &Layout, given: &Vectors<'_>, is_training: bool, sums: &[[f64; 2]]) -> Lines {
    let count = layout.count().max(1) as f64;
    // bounded: as many as the input `scale` has
    let [mut a, mut b, mut c] = [(); 3].map(|()| Vec::with_capacity(layout.channels));
    for (((scale, mean), variance), sum) in given.scale.iter().zip(given.mean).zip(given.variance).zip(sums) {
        let variance = f64::from(variance + given.epsilon);
        let of_gradient = f64::from(*scale) / variance.sqrt();
        let of_x = if is_training { -of_gradient * sum[1] / count / variance } else { 0.0 };
        let constant = if is_training { -of_gradient * sum[0] / count - of_x * f64::from(*mean) } else { 0.0 };
        a.push(of_gradient as f32);
        b.push(of_x as f32);
        c.push(constant as f32);
    }
    Lines { a, b, c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    /// The ops of this kin, with the vectors that each takes.
    const OPS: [(&str, usize); 3] =
        [("FusedBatchNormGrad", 3), ("FusedBatchNormGradV2", 3), ("FusedBatchNormGradV3", 4)];

    #[test]
    fn gradients_of_one_channel() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 5.0]).unwrap();
        let gradient = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 3.0]).unwrap();
        let vectors = [2f32, 3.0, 3.0, 0.0].map(|v| Tensor::from_slice(&[v]));
        for (op, count) in OPS {
            let vectors = vectors[..count].to_vec();
            let inputs: Vec<Tensor> = [gradient.clone(), x.clone()].into_iter().chain(vectors).collect();
            let frozen = run(op, &[("is_training", false.into()), ("epsilon", 1.0.into())], inputs.clone()).unwrap();
            assert_eq!(frozen[0].as_slice::<f32>().unwrap(), [1.0, 3.0]);
            assert_eq!(frozen[1].as_slice::<f32>().unwrap(), [2.0]);
            assert_eq!(frozen[2].as_slice::<f32>().unwrap(), [4.0]);
            assert_eq!(frozen[3].num_elements(), 0);
            let trained = run(op, &[("epsilon", 1.0.into())], inputs).unwrap();
            assert_eq!(trained[0].as_slice::<f32>().unwrap(), [0.0, 0.0]);
        }
    }

    #[test]
    fn unlike_shapes_are_refused() {
        let x = Tensor::full([1, 1, 2, 1], 1f32);
        let vector = Tensor::from_slice(&[1f32]);
        let wrong = Tensor::full([1, 2, 1, 1], 1f32);
        for (op, count) in OPS {
            let vectors = vec![vector.clone(); count];
            let inputs: Vec<Tensor> = [wrong.clone(), x.clone()].into_iter().chain(vectors).collect();
            assert!(run(op, &[], inputs).unwrap_err().message().contains("same shape"), "{op}");
        }
    }
}
