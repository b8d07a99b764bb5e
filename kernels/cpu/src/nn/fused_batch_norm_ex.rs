//! `_FusedBatchNormEx`: `FusedBatchNormV3`, the addition of a tensor and an activation in one pass.
//!
//! Outputs as those of `FusedBatchNormV3`, with `y = activation(normalised x + side_input)`; there is at most one
//! `side_input`, of the shape of `x`. `activation_mode` is `Identity` or `Relu`. Computed in f32.

use oplink::prelude::*;

use super::batch_norm::{After, batch_norm};
use crate::numeric::lanes::lanes_of;
use crate::support::elementwise::Lanes;

/// Normalises each channel of `x`, adds `side_input` and applies an activation.
#[op("_FusedBatchNormEx",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     input = "side_input: num_side_inputs * T",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     output = "reserve_space_3: U",
     attr = "T: {half, float, bfloat16}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "num_side_inputs: int >= 0 = 0",
     attr = "activation_mode: string = 'Identity'",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     shape = shape_fns::fused_batch_norm)]
pub struct _FusedBatchNormEx;

/// `_FusedBatchNormEx` with statistics in f32.
#[kernel(_FusedBatchNormEx, device = CPU, T = [f16, bf16, f32], U = [f32])]
pub fn fused_batch_norm_ex_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let relu = match context.attr::<&str>("activation_mode")? {
        "Identity" => false,
        "Relu" => true,
        other => return Err(Error::unimplemented(format!("_FusedBatchNormEx has no activation {other}"))),
    };
    let side = match context.input_list("side_input")? {
        [] => None,
        [side] => Some(side.clone()),
        more => bail!("_FusedBatchNormEx takes one side_input at most, {} are given", more.len()),
    };
    if let Some(side) = &side {
        let shape = context.input(0).shape();
        ensure!(side.shape() == shape, "side_input must have the shape {shape}, its shape is {}", side.shape());
    }
    let side = side.as_ref().map(|side| side.as_slice::<T>().map(lanes_of)).transpose()?;
    batch_norm::<T>(context, After { side: side.as_deref(), relu })?;
    context.set_scalar(5, 0f32);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
