//! `FusedBatchNormV3`: normalises each channel, with statistics in f32.
//!
//! `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
//! `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training with
//! an `exponential_avg_factor` of 1, which does not read them.
//!
//! With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
//! new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
//! `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
//! `x`, the averages are NaN. `reserve_space_3` is a scalar 0. Computed in f32.

use oplink::prelude::*;

use super::batch_norm::{After, batch_norm};
use crate::support::elementwise::Lanes;

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

/// `FusedBatchNormV3` with statistics in f32.
#[kernel(FusedBatchNormV3, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_v3_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm::<T>(context, After::default())?;
    context.set_scalar(5, 0f32);
    Ok(())
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
}
