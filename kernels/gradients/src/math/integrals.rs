//! Bessel functions, and integrals of elementary functions.

use std::f64::consts::FRAC_PI_2;

use oplink::prelude::*;
use oplink_ops::{
    Add, BesselI0, BesselI1, BesselJ0, BesselJ1, BesselK0, BesselK0e, BesselK1, BesselK1e, BesselY0, BesselY1, Cos,
    Dawsn, Div, Equal, Exp, Expint, Fill, FresnelCos, FresnelSin, Log, Neg, Reciprocal, SelectV2, Sin, Spence, Square,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

/// A derivative, and `value` where `x` is 0.
fn with_value_at_zero(n: &Nodes<'_>, x: Output, derivative: Output, value: f64) -> Result<Output> {
    let constant = n.add::<Fill>([n.shape(x)?, n.scalar(value)?])?;
    n.add::<SelectV2>([n.add::<Equal>([x, n.zeros(x)?])?, constant, derivative])
}

/// `O(x) - y / x`.
fn minus_quotient<O: Op>(n: &Nodes<'_>, x: Output, y: Output) -> Result<Output> {
    n.sub(n.add::<O>([x])?, n.add::<Div>([y, x])?)
}

/// `-dy O(x)`.
fn by_negative<O: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<Neg>([n.add::<O>([x])?])?))
}

#[gradient(BesselI0)]
fn bessel_i0(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.mul(dy, n.add::<BesselI1>([x])?))
}

#[gradient(BesselI1)]
fn bessel_i1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| n.mul(dy, with_value_at_zero(n, x, minus_quotient::<BesselI0>(n, x, y)?, 1.0)?))
}

#[gradient(BesselJ0)]
fn bessel_j0(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_negative::<BesselJ1>(scope, op, dy)
}

#[gradient(BesselJ1)]
fn bessel_j1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| n.mul(dy, with_value_at_zero(n, x, minus_quotient::<BesselJ0>(n, x, y)?, 0.5)?))
}

#[gradient(BesselK0)]
fn bessel_k0(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_negative::<BesselK1>(scope, op, dy)
}

#[gradient(BesselK0e)]
fn bessel_k0e(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| n.mul(dy, n.sub(y, n.add::<BesselK1e>([x])?)?))
}

#[gradient(BesselK1)]
fn bessel_k1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| {
        let sum = n.add::<Add>([n.add::<BesselK0>([x])?, n.add::<Div>([y, x])?])?;
        n.mul(dy, n.add::<Neg>([sum])?)
    })
}

#[gradient(BesselK1e)]
fn bessel_k1e(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| {
        let factor = n.sub(n.scalar(1.0)?, n.add::<Reciprocal>([x])?)?;
        n.mul(dy, n.sub(n.mul(y, factor)?, n.add::<BesselK0e>([x])?)?)
    })
}

#[gradient(BesselY0)]
fn bessel_y0(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_negative::<BesselY1>(scope, op, dy)
}

#[gradient(BesselY1)]
fn bessel_y1(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| n.mul(dy, minus_quotient::<BesselY0>(n, x, y)?))
}

#[gradient(Dawsn)]
fn dawsn(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| {
        let product = n.mul(n.mul(n.scalar(2.0)?, x)?, y)?;
        n.mul(dy, n.sub(n.scalar(1.0)?, product)?)
    })
}

#[gradient(Expint)]
fn expint(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<Div>([n.mul(dy, n.add::<Exp>([x])?)?, x]))
}

/// `dy F(π x² / 2)`.
fn fresnel<F: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let angle = n.mul(n.scalar(FRAC_PI_2)?, n.add::<Square>([x])?)?;
        n.mul(dy, n.add::<F>([angle])?)
    })
}

#[gradient(FresnelCos)]
fn fresnel_cos(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    fresnel::<Cos>(scope, op, dy)
}

#[gradient(FresnelSin)]
fn fresnel_sin(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    fresnel::<Sin>(scope, op, dy)
}

/// `ln(x) / (1 - x)`, and -1 at 1, where that has no value.
#[gradient(Spence)]
fn spence(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| {
        let rest = n.sub(n.scalar(1.0)?, x)?;
        let quotient = n.add::<Div>([n.add::<Log>([x])?, rest])?;
        n.mul(dy, with_value_at_zero(n, rest, quotient, -1.0)?)
    })
}
