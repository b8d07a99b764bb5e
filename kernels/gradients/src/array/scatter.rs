//! Tensors with some elements changed.

use oplink::prelude::*;
use oplink_ops::{GatherNd, Neg, TensorScatterAdd, TensorScatterSub, TensorScatterUpdate};

use crate::Gradients;
use crate::nodes::Nodes;

#[gradient(TensorScatterAdd)]
fn tensor_scatter_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(dy[0]), None, Some(n.add::<GatherNd>([dy[0], op.input(1)])?)])
}

#[gradient(TensorScatterSub)]
fn tensor_scatter_sub(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let taken = n.add::<GatherNd>([dy[0], op.input(1)])?;
    Ok(vec![Some(dy[0]), None, Some(n.add::<Neg>([taken])?)])
}

#[gradient(TensorScatterUpdate)]
fn tensor_scatter_update(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (indices, updates) = (op.input(1), op.input(2));
    let kept = n.add::<TensorScatterUpdate>([dy[0], indices, n.zeros(updates)?])?;
    Ok(vec![Some(kept), None, Some(n.add::<GatherNd>([dy[0], indices])?)])
}
