//! Biases.

use oplink::prelude::*;
use oplink_ops::{BiasAdd, BiasAddGrad, BiasAddV1, Range, Rank};

use crate::Gradients;
use crate::nodes::Nodes;

#[gradient(BiasAdd)]
fn bias_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_bias = n.like::<BiasAddGrad>(op, [dy[0]], &["data_format"])?[0];
    Ok(vec![Some(dy[0]), Some(by_bias)])
}

/// The bias gets the sum over all dimensions but the last.
#[gradient(BiasAddV1)]
fn bias_add_v1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let last = n.sub(n.add::<Rank>([dy[0]])?, n.int(1)?)?;
    let axes = n.add::<Range>([n.int(0)?, last, n.int(1)?])?;
    Ok(vec![Some(dy[0]), Some(n.sum(dy[0], axes)?)])
}

/// The bias repeated over all that was summed.
#[gradient(BiasAddGrad)]
fn bias_add_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let spread = n.like::<BiasAdd>(op, [n.zeros(op.input(0))?, dy[0]], &["data_format"])?[0];
    Ok(vec![Some(spread)])
}
