//! Cross entropies and the loss of labellings: their second output is the gradient of the first, kept from the forward
//! pass.

use oplink::prelude::*;
use oplink_ops::{
    Add, CTCLoss, ExpandDims, LogSoftmax, Neg, PreventGradient, Softmax, SoftmaxCrossEntropyWithLogits,
    SparseSoftmaxCrossEntropyWithLogits,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// Each row of a matrix times an element of a vector.
fn rows(n: &Nodes<'_>, scales: Output, matrix: Output) -> Result<Output> {
    n.mul(n.add::<ExpandDims>([scales, n.int(-1)?])?, matrix)
}

/// What arrives at the logits through both outputs.
fn by_logits(n: &Nodes<'_>, op: &OpForGradient, dy: &[Output]) -> Result<Output> {
    let through_loss = rows(n, dy[0], op.output(1))?;
    if !op.has_gradient(1) {
        return Ok(through_loss);
    }
    let softmax = n.add::<Softmax>([op.input(0)])?;
    let sums = n.sum_kept(n.mul(dy[1], softmax)?, n.ints(&[-1])?)?;
    let through_gradient = n.mul(n.sub(dy[1], sums)?, softmax)?;
    n.add::<Add>([through_loss, through_gradient])
}

#[gradient(SoftmaxCrossEntropyWithLogits)]
fn softmax_cross_entropy(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let logarithms = n.add::<Neg>([n.add::<LogSoftmax>([op.input(0)])?])?;
    Ok(vec![Some(by_logits(&n, op, dy)?), Some(rows(&n, dy[0], logarithms)?)])
}

#[gradient(SparseSoftmaxCrossEntropyWithLogits)]
fn sparse_softmax_cross_entropy(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(by_logits(&n, op, dy)?), None])
}

/// Nothing is differentiated through the second output.
#[gradient(CTCLoss)]
fn ctc_loss(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let message = "the gradient of CTCLoss has no gradient";
    let gradient = n.with::<PreventGradient>([op.output(1)], vec![("message", message.into())])?;
    Ok(vec![Some(rows(&n, dy[0], gradient)?), None, None, None])
}
