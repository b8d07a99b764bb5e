//! `FusedBatchNorm`: normalises each channel, in f32.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
//! `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training with
//! an `exponential_avg_factor` of 1, which does not read them.
//!
//! With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
//! new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
//! `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
//! `x`, the averages are NaN. Computed in f32.

use oplink::prelude::*;

use super::batch_norm::{After, batch_norm};

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

/// `FusedBatchNorm` in f32.
#[kernel(FusedBatchNorm, device = CPU, T = [f32])]
pub fn fused_batch_norm_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<f32>(context, After::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn normalizes_by_the_given_statistics() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 5.0]).unwrap();
        let vectors = [2f32, 0.5, 3.0, 1.0].map(|v| Tensor::from_slice(&[v]));
        let attrs = [("is_training", false.into()), ("epsilon", 3.0.into())];
        let out = run("FusedBatchNorm", &attrs, [x].into_iter().chain(vectors).collect()).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.5, 2.5]);
        assert_eq!(out.len(), 5);
    }
}
