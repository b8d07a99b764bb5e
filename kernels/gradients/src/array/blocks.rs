//! Blocks of space moved to other dimensions, and back.

use oplink::prelude::*;
use oplink_ops::{BatchToSpace, BatchToSpaceND, DepthToSpace, SpaceToBatch, SpaceToBatchND, SpaceToDepth};

use crate::Gradients;
use crate::nodes::Nodes;

/// The gradient goes the way back, by the op `B` with these attrs.
fn back<B: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], attrs: &[&'static str]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = std::iter::once(dy[0]).chain(op.inputs().iter().skip(1).copied());
    let mut gradients = vec![Some(n.like::<B>(op, inputs, attrs)?[0])];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(SpaceToBatch)]
fn space_to_batch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<BatchToSpace>(scope, op, dy, &["block_size"])
}

#[gradient(BatchToSpace)]
fn batch_to_space(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<SpaceToBatch>(scope, op, dy, &["block_size"])
}

#[gradient(SpaceToBatchND)]
fn space_to_batch_nd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<BatchToSpaceND>(scope, op, dy, &[])
}

#[gradient(BatchToSpaceND)]
fn batch_to_space_nd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<SpaceToBatchND>(scope, op, dy, &[])
}

#[gradient(SpaceToDepth)]
fn space_to_depth(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<DepthToSpace>(scope, op, dy, &["block_size", "data_format"])
}

#[gradient(DepthToSpace)]
fn depth_to_space(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    back::<SpaceToDepth>(scope, op, dy, &["block_size", "data_format"])
}
