//! Batches of calls: the gradient of what is joined is parted, that of parts is joined.

use oplink::prelude::*;
use oplink_ops::{Batch, Unbatch, UnbatchGrad};

use crate::Gradients;
use crate::nodes::Nodes;

/// Each call gets its part of the gradient; those of one batch meet under a name made of the node's.
#[gradient(Batch)]
fn batch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (count, timeout) = (op.inputs().len(), op.attr::<i64>("grad_timeout_micros")?);
    let (index, id) = (op.output(count), op.output(count + 1));
    let part = |(at, &dy): (usize, &Output)| {
        let name = format!("batch_gradient_{}_{at}", op.info().name);
        let attrs = vec![("timeout_micros", timeout.into()), ("shared_name", name.as_str().into())];
        n.with::<Unbatch>([dy, index, id], attrs).map(Some)
    };
    dy.iter().take(count).enumerate().map(part).collect()
}

/// The gradients of the parts, joined for the call that brought the rows.
#[gradient(Unbatch)]
fn unbatch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let name = format!("unbatch_gradient_{}", op.info().name);
    let inputs = [op.input(0), op.input(1), dy[0], op.input(2)];
    let joined = n.with::<UnbatchGrad>(inputs, vec![("shared_name", name.as_str().into())])?;
    Ok(vec![Some(joined), None, None])
}
