//! Normalizations.

use oplink::prelude::*;
use oplink_ops::{
    BatchNormWithGlobalNormalization, BatchNormWithGlobalNormalizationGrad, FusedBatchNorm, FusedBatchNormGrad,
    FusedBatchNormGradV2, FusedBatchNormGradV3, FusedBatchNormV2, FusedBatchNormV3, L2Loss, LRN, LRNGrad,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// The gradients by input, scale and offset, made by `G`. Where the statistics are given, they are constants;
/// `reserved` is the number of outputs that the op keeps for its gradient.
fn batch_norm<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], reserved: usize) -> Gradients {
    let n = Nodes::new(scope, op);
    let [mean, variance] = match op.attr::<bool>("is_training")? {
        true => [op.output(3), op.output(4)],
        false => [op.input(3), op.input(4)],
    };
    let mut inputs = vec![dy[0], op.input(0), op.input(1), mean, variance];
    inputs.extend((5..3 + reserved).map(|index| op.output(index)));
    let made = n.like::<G>(op, inputs, &["epsilon", "data_format", "is_training"])?;
    let mut gradients: Vec<Option<Output>> = made.into_iter().take(3).map(Some).collect();
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

/// `gamma` is the fifth input of the op, and the fourth of its gradient.
#[gradient(BatchNormWithGlobalNormalization)]
fn batch_norm_with_global_normalization(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.input(0), op.input(1), op.input(2), op.input(4), dy[0]];
    let attrs = ["variance_epsilon", "scale_after_normalization"];
    let made = n.like::<BatchNormWithGlobalNormalizationGrad>(op, inputs, &attrs)?;
    Ok(made.into_iter().map(Some).collect())
}

#[gradient(FusedBatchNorm)]
fn fused_batch_norm(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    batch_norm::<FusedBatchNormGrad>(scope, op, dy, 2)
}

#[gradient(FusedBatchNormV2)]
fn fused_batch_norm_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    batch_norm::<FusedBatchNormGradV2>(scope, op, dy, 2)
}

#[gradient(FusedBatchNormV3)]
fn fused_batch_norm_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    batch_norm::<FusedBatchNormGradV3>(scope, op, dy, 3)
}

#[gradient(LRN)]
fn lrn(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(0), op.output(0)];
    Ok(vec![Some(n.like::<LRNGrad>(op, inputs, &["depth_radius", "bias", "alpha", "beta"])?[0])])
}

#[gradient(L2Loss)]
fn l2_loss(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.mul(op.input(0), dy[0])?)])
}
