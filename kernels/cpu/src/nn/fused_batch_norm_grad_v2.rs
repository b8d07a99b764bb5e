//! `FusedBatchNormGradV2`: the gradient of `FusedBatchNormV2`.
//!
//! `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are vectors as
//! long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over all values of a
//! channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and `x_backprop = scale * r *
//! (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`, `scale * r * y_backprop` without.
//! The last two outputs are empty. Computed in f32, sums in f64.

use oplink::prelude::*;

use super::batch_norm_grad::batch_norm_grad;
use crate::support::elementwise::Lanes;

/// The gradient of `FusedBatchNormV2`.
#[op("FusedBatchNormGradV2",
     input = "y_backprop: T",
     input = "x: T",
     input = "scale: float",
     input = "reserve_space_1: U",
     input = "reserve_space_2: U",
     output = "x_backprop: T",
     output = "scale_backprop: U",
     output = "offset_backprop: U",
     output = "reserve_space_3: U",
     output = "reserve_space_4: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm_grad)]
pub struct FusedBatchNormGradV2;

/// `FusedBatchNormGradV2` with statistics in f32.
#[kernel(FusedBatchNormGradV2, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_grad_v2_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm_grad::<T>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

    #[test]
    fn gradients_of_one_channel() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 5.0]).unwrap();
        let gradient = Tensor::from_vec([1, 1, 2, 1], vec![1f32, 3.0]).unwrap();
        let vectors = [2f32, 3.0, 3.0].map(|v| Tensor::from_slice(&[v]));
        let inputs: Vec<Tensor> = [gradient, x].into_iter().chain(vectors).collect();
        let frozen =
            run("FusedBatchNormGradV2", &[("is_training", false.into()), ("epsilon", 1.0.into())], inputs.clone())
                .unwrap();
        assert_eq!(frozen[0].as_slice::<f32>().unwrap(), [1.0, 3.0]);
        assert_eq!(frozen[1].as_slice::<f32>().unwrap(), [2.0]);
        assert_eq!(frozen[2].as_slice::<f32>().unwrap(), [4.0]);
        assert_eq!(frozen[3].num_elements(), 0);
        let trained = run("FusedBatchNormGradV2", &[("epsilon", 1.0.into())], inputs).unwrap();
        assert_eq!(trained[0].as_slice::<f32>().unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn unlike_shapes_are_refused() {
        let x = Tensor::full([1, 1, 2, 1], 1f32);
        let vector = Tensor::from_slice(&[1f32]);
        let wrong = Tensor::full([1, 2, 1, 1], 1f32);
        check_error("FusedBatchNormGradV2", [wrong, x, vector.clone(), vector.clone(), vector], "same shape");
    }
}
