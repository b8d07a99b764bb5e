//! `FusedBatchNormV2`: normalises each channel, with statistics in f32.
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
use crate::support::elementwise::Lanes;

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

/// `FusedBatchNormV2` with statistics in f32.
#[kernel(FusedBatchNormV2, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v2_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<T>(context, After::default())
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
        let out = run("FusedBatchNormV2", &attrs, [x].into_iter().chain(vectors).collect()).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [-1.5, 2.5]);
        assert_eq!(out.len(), 5);
    }
}
