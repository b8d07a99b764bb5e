//! Powers, roots, exponentials, logarithms, and what rounds or passes on.

use oplink::prelude::*;
use oplink_ops::{
    Abs, Add, Cast, ComplexAbs, Div, DivNoNan, Exp, Expm1, Inv, InvGrad, Log, Log1p, Mul, Neg, Reciprocal,
    ReciprocalGrad, Rint, Rsqrt, RsqrtGrad, Sigmoid, SigmoidGrad, Sign, Sqrt, SqrtGrad, Square, Sub,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

#[gradient(Abs)]
fn abs(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Sign>([x])?))
}

#[gradient(Neg)]
fn neg(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<Neg>([dy]))
}

#[gradient(Inv)]
fn inv(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<ReciprocalGrad>([y, dy]))
}

#[gradient(Reciprocal)]
fn reciprocal(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<ReciprocalGrad>([y, dy]))
}

/// Of `-dy * y²`: `-2 dy y`, and `-y²`.
fn reciprocal_grad_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (y, inner, dy) = (n.conj(op.input(0))?, op.input(1), dy[0]);
    let by_y = n.mul(n.mul(n.conj(dy)?, inner)?, n.mul(n.scalar(-2.0)?, y)?)?;
    Ok(vec![Some(by_y), Some(n.add::<ReciprocalGrad>([y, dy])?)])
}

#[gradient(InvGrad)]
fn inv_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    reciprocal_grad_gradient(scope, op, dy)
}

#[gradient(ReciprocalGrad)]
fn reciprocal_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    reciprocal_grad_gradient(scope, op, dy)
}

#[gradient(Square)]
fn square(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.mul(n.scalar(2.0)?, n.conj(x)?)?))
}

#[gradient(Sqrt)]
fn sqrt(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<SqrtGrad>([y, dy]))
}

#[gradient(Rsqrt)]
fn rsqrt(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<RsqrtGrad>([y, dy]))
}

/// Of `dy / 2 / y`.
#[gradient(SqrtGrad)]
fn sqrt_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let scaled = n.add::<Div>([dy[0], op.input(0)])?;
    let by_y = n.mul(n.add::<Neg>([n.conj(scaled)?])?, op.output(0))?;
    Ok(vec![Some(by_y), Some(n.mul(n.scalar(0.5)?, scaled)?)])
}

/// Of `-dy / 2 * y³`.
#[gradient(RsqrtGrad)]
fn rsqrt_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (y, inner, dy) = (n.conj(op.input(0))?, op.input(1), dy[0]);
    let scaled = n.mul(n.mul(n.scalar(-1.5)?, n.conj(dy)?)?, inner)?;
    Ok(vec![Some(n.mul(scaled, n.add::<Square>([y])?)?), Some(n.add::<RsqrtGrad>([y, dy])?)])
}

#[gradient(Exp)]
fn exp(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.mul(dy, n.conj(y)?))
}

#[gradient(Expm1)]
fn expm1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Exp>([n.conj(x)?])?))
}

#[gradient(Log)]
fn log(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Reciprocal>([n.conj(x)?])?))
}

#[gradient(Log1p)]
fn log1p(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let above = n.add::<Add>([n.scalar(1.0)?, n.conj(x)?])?;
        n.mul(dy, n.add::<Reciprocal>([above])?)
    })
}

#[gradient(Sigmoid)]
fn sigmoid(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<SigmoidGrad>([n.conj(y)?, dy]))
}

/// Of `dy y (1 - y)`.
#[gradient(SigmoidGrad)]
fn sigmoid_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (y, inner, dy) = (n.conj(op.input(0))?, n.conj(op.input(1))?, dy[0]);
    let twice = n.mul(n.scalar(2.0)?, y)?;
    let slope = n.add::<Sub>([n.scalar(1.0)?, twice])?;
    let by_y = n.add::<Mul>([n.mul(dy, inner)?, slope])?;
    Ok(vec![Some(by_y), Some(n.add::<SigmoidGrad>([y, dy])?)])
}

#[gradient(Sign)]
fn sign(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, _| n.zeros(x))
}

/// Nothing: the outputs jump.
#[gradient(Rint)]
fn rint(_: &mut dyn Scope, _: &OpForGradient, _: &[Output]) -> Gradients {
    Ok(vec![None])
}

/// The gradient in the dtype of what was cast, whatever it is.
#[gradient(Cast)]
fn cast(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let to = op.input_dtype(0);
    unary(scope, op, dy, |n, _, _, dy| n.with::<Cast>([dy], vec![("DstT", to.into())]))
}

/// `dy x / |x|`, and 0 at 0.
#[gradient(ComplexAbs)]
fn complex_abs(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (dtype, real) = (op.input_dtype(0), op.attr::<DType>("Tout")?);
    unary(scope, op, dy, |n, x, y, dy| {
        n.add::<DivNoNan>([n.mul(n.cast(dy, real, dtype)?, x)?, n.cast(y, real, dtype)?])
    })
}
