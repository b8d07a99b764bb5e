//! Error functions and gamma functions.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use oplink::prelude::*;
use oplink_ops::{Digamma, Erf, Erfc, Erfinv, Exp, Lgamma, Ndtri, Neg, Polygamma, Square};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

/// `dy * factor * exp(scale * x²)`.
fn gaussian(n: &Nodes<'_>, x: Output, dy: Output, factor: f64, scale: f64) -> Result<Output> {
    let square = n.add::<Square>([x])?;
    let exponent = if scale == -1.0 { n.add::<Neg>([square])? } else { n.mul(n.scalar(scale)?, square)? };
    n.mul(n.mul(dy, n.scalar(factor)?)?, n.add::<Exp>([exponent])?)
}

#[gradient(Erf)]
fn erf(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| gaussian(n, x, dy, FRAC_2_SQRT_PI, -1.0))
}

#[gradient(Erfc)]
fn erfc(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| gaussian(n, x, dy, -FRAC_2_SQRT_PI, -1.0))
}

#[gradient(Erfinv)]
fn erfinv(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| gaussian(n, y, dy, 1.0 / FRAC_2_SQRT_PI, 1.0))
}

#[gradient(Ndtri)]
fn ndtri(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, y, dy| gaussian(n, y, dy, (2.0 * PI).sqrt(), 0.5))
}

#[gradient(Lgamma)]
fn lgamma(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Digamma>([x])?))
}

#[gradient(Digamma)]
fn digamma(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Polygamma>([n.scalar(1.0)?, x])?))
}
