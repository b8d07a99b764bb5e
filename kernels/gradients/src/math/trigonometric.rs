//! Trigonometric and hyperbolic functions, and their inverses.

use oplink::prelude::*;
use oplink_ops::{
    Acos, Acosh, Add, Asin, Asinh, Atan, Atan2, Atanh, Cos, Cosh, Div, Neg, Reciprocal, Sin, Sinh, Sqrt, Square, Sub,
    Tan, Tanh, TanhGrad,
};

use crate::Gradients;
use crate::nodes::{Nodes, binary, unary};

#[gradient(Sin)]
fn sin(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Cos>([n.conj(x)?])?))
}

#[gradient(Cos)]
fn cos(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Neg>([n.add::<Sin>([n.conj(x)?])?])?))
}

#[gradient(Tan)]
fn tan(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let secant = n.add::<Reciprocal>([n.add::<Cos>([n.conj(x)?])?])?;
        n.mul(dy, n.add::<Square>([secant])?)
    })
}

#[gradient(Sinh)]
fn sinh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Cosh>([n.conj(x)?])?))
}

#[gradient(Cosh)]
fn cosh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Sinh>([n.conj(x)?])?))
}

#[gradient(Tanh)]
fn tanh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<TanhGrad>([n.conj(y)?, dy]))
}

/// Of `dy (1 - y²)`.
#[gradient(TanhGrad)]
fn tanh_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (y, inner, dy) = (n.conj(op.input(0))?, n.conj(op.input(1))?, dy[0]);
    let by_y = n.mul(n.mul(n.mul(dy, inner)?, n.scalar(-2.0)?)?, y)?;
    Ok(vec![Some(by_y), Some(n.add::<TanhGrad>([y, dy])?)])
}

/// `1 - x²`.
fn one_minus_square(n: &Nodes<'_>, x: Output) -> Result<Output> {
    n.add::<Sub>([n.scalar(1.0)?, n.add::<Square>([n.conj(x)?])?])
}

#[gradient(Asin)]
fn asin(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<Div>([dy, n.add::<Sqrt>([one_minus_square(n, x)?])?]))
}

#[gradient(Acos)]
fn acos(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let root = n.add::<Sqrt>([one_minus_square(n, x)?])?;
        n.add::<Neg>([n.add::<Div>([dy, root])?])
    })
}

#[gradient(Atan)]
fn atan(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let below = n.add::<Add>([n.scalar(1.0)?, n.add::<Square>([n.conj(x)?])?])?;
        n.mul(dy, n.add::<Reciprocal>([below])?)
    })
}

#[gradient(Asinh)]
fn asinh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<Div>([dy, n.add::<Cosh>([n.conj(y)?])?]))
}

#[gradient(Acosh)]
fn acosh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| n.add::<Div>([dy, n.add::<Sinh>([n.conj(y)?])?]))
}

#[gradient(Atanh)]
fn atanh(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Reciprocal>([one_minus_square(n, x)?])?))
}

/// By `y` and `x` of `atan(y / x)`: `x / (x² + y²)` and `-y / (x² + y²)`.
#[gradient(Atan2)]
fn atan2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, [y, x], _, dy| {
        let squares = n.add::<Add>([n.add::<Square>([x])?, n.add::<Square>([y])?])?;
        let scaled = n.add::<Div>([dy, squares])?;
        Ok([n.mul(x, scaled)?, n.mul(n.add::<Neg>([y])?, scaled)?])
    })
}
