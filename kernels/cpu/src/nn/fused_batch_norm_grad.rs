//! `FusedBatchNormGrad`: the gradient of `FusedBatchNorm`.
//!
//! `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are vectors as
//! long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over all values of a
//! channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and `x_backprop = scale * r *
//! (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`, `scale * r * y_backprop` without.
//! The last two outputs are empty. Computed in f32, sums in f64.

use oplink::prelude::*;

use super::batch_norm_grad::batch_norm_grad;

/// The gradient of `FusedBatchNorm`.
#[op("FusedBatchNormGrad",
     input = "y_backprop: T",
     input = "x: T",
     input = "scale: T",
     input = "reserve_space_1: T",
     input = "reserve_space_2: T",
     output = "x_backprop: T",
     output = "scale_backprop: T",
     output = "offset_backprop: T",
     output = "reserve_space_3: T",
     output = "reserve_space_4: T",
     attr = "T: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm_grad)]
pub struct FusedBatchNormGrad;

/// `FusedBatchNormGrad` in f32.
#[kernel(FusedBatchNormGrad, device = CPU, T = [f32])]
pub fn fused_batch_norm_grad_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    batch_norm_grad::<f32>(context)
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
            run("FusedBatchNormGrad", &[("is_training", false.into()), ("epsilon", 1.0.into())], inputs.clone())
                .unwrap();
        assert_eq!(frozen[0].as_slice::<f32>().unwrap(), [1.0, 3.0]);
        assert_eq!(frozen[1].as_slice::<f32>().unwrap(), [2.0]);
        assert_eq!(frozen[2].as_slice::<f32>().unwrap(), [4.0]);
        assert_eq!(frozen[3].num_elements(), 0);
        let trained = run("FusedBatchNormGrad", &[("epsilon", 1.0.into())], inputs).unwrap();
        assert_eq!(trained[0].as_slice::<f32>().unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn unlike_shapes_are_refused() {
        let x = Tensor::full([1, 1, 2, 1], 1f32);
        let vector = Tensor::from_slice(&[1f32]);
        let wrong = Tensor::full([1, 2, 1, 1], 1f32);
        check_error("FusedBatchNormGrad", [wrong, x, vector.clone(), vector.clone(), vector], "same shape");
    }
}
