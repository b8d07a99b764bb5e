//! Activations.

use oplink::prelude::*;
use oplink_ops::{
    Add, Div, Elu, EluGrad, Exp, LeakyRelu, LeakyReluGrad, Less, LogSoftmax, Neg, Relu, Relu6, Relu6Grad, ReluGrad,
    SelectV2, Selu, SeluGrad, Softmax, Softplus, SoftplusGrad, Softsign, SoftsignGrad,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

#[gradient(Relu)]
fn relu(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<ReluGrad>([dy, x]))
}

/// By the gradients where the features are above 0; the features themselves only choose.
#[gradient(ReluGrad)]
fn relu_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let features = op.input(1);
    Ok(vec![Some(n.add::<ReluGrad>([dy[0], features])?), Some(n.zeros(features)?)])
}

#[gradient(Relu6)]
fn relu6(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<Relu6Grad>([dy, x]))
}

#[gradient(Relu6Grad)]
fn relu6_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let features = op.input(1);
    Ok(vec![Some(n.add::<Relu6Grad>([dy[0], features])?), Some(n.zeros(features)?)])
}

#[gradient(LeakyRelu)]
fn leaky_relu(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<LeakyReluGrad>(op, [dy[0], op.input(0)], &["alpha"])?[0])])
}

#[gradient(LeakyReluGrad)]
fn leaky_relu_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let features = op.input(1);
    let by_gradients = n.like::<LeakyReluGrad>(op, [dy[0], features], &["alpha"])?[0];
    Ok(vec![Some(by_gradients), Some(n.zeros(features)?)])
}

#[gradient(Elu)]
fn elu(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<EluGrad>([dy, y]))
}

#[gradient(Selu)]
fn selu(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<SeluGrad>([dy, y]))
}

/// By the gradients as the activation itself; by the activations where they are negative.
fn negative_part(n: &Nodes<'_>, op: &OpForGradient, by_gradients: Output, dy: Output) -> Gradients {
    let (inner, y) = (op.input(0), op.input(1));
    let negative = n.add::<Less>([y, n.zeros(y)?])?;
    let product = n.mul(dy, inner)?;
    Ok(vec![Some(by_gradients), Some(n.add::<SelectV2>([negative, product, n.zeros(product)?])?)])
}

#[gradient(EluGrad)]
fn elu_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    negative_part(&n, op, n.add::<EluGrad>([dy[0], op.input(1)])?, dy[0])
}

#[gradient(SeluGrad)]
fn selu_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    negative_part(&n, op, n.add::<SeluGrad>([dy[0], op.input(1)])?, dy[0])
}

/// Of `dy / (1 + exp(-x))`.
#[gradient(SoftplusGrad)]
fn softplus_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (inner, x, dy) = (op.input(0), op.input(1), dy[0]);
    let powers = n.add::<Add>([n.add::<Exp>([n.add::<Neg>([x])?])?, n.add::<Exp>([x])?])?;
    let by_x = n.add::<Div>([n.mul(dy, inner)?, n.add::<Add>([powers, n.scalar(2.0)?])?])?;
    Ok(vec![Some(n.add::<SoftplusGrad>([dy, x])?), Some(by_x)])
}

#[gradient(Softplus)]
fn softplus(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<SoftplusGrad>([dy, x]))
}

#[gradient(Softsign)]
fn softsign(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<SoftsignGrad>([dy, x]))
}

/// `(dy - sum(dy y)) y`, summed along the last dimension.
#[gradient(Softmax)]
fn softmax(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| {
        let sums = n.sum_kept(n.mul(dy, y)?, n.ints(&[-1])?)?;
        n.mul(n.sub(dy, sums)?, y)
    })
}

/// `dy - exp(y) sum(dy)`, summed along the last dimension.
#[gradient(LogSoftmax)]
fn log_softmax(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| {
        let sums = n.sum_kept(dy, n.ints(&[-1])?)?;
        n.sub(dy, n.mul(sums, n.add::<Exp>([y])?)?)
    })
}
