//! Error functions and gamma functions.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use oplink::prelude::*;
use oplink_ops::{
    Add, BesselI0e, BesselI1e, Betainc, Digamma, Equal, Erf, Erfc, Erfinv, Exp, Fill, Lgamma, Ndtri, Neg, Polygamma,
    Reciprocal, SelectV2, Sign, Square, Xlog1py, Xlogy, Zeta,
};

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

#[gradient(BesselI0e)]
fn bessel_i0e(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| n.mul(dy, n.sub(n.add::<BesselI1e>([x])?, n.mul(n.add::<Sign>([x])?, y)?)?))
}

/// At 0 the general formula has no value, the derivative is 1/2.
#[gradient(BesselI1e)]
fn bessel_i1e(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, y, dy| {
        let factor = n.add::<Add>([n.add::<Sign>([x])?, n.add::<Reciprocal>([x])?])?;
        let elsewhere = n.sub(n.add::<BesselI0e>([x])?, n.mul(y, factor)?)?;
        let half = n.add::<Fill>([n.shape(x)?, n.scalar(0.5)?])?;
        n.mul(dy, n.add::<SelectV2>([n.add::<Equal>([x, n.zeros(x)?])?, half, elsewhere])?)
    })
}

/// The gradient by the second of two broadcast inputs alone.
fn by_second(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], f: Derivative) -> Gradients {
    let n = Nodes::new(scope, op);
    let (first, second) = (op.input(0), op.input(1));
    Ok(vec![None, n.unbroadcast_one(second, n.mul(f(&n, first, second)?, dy[0])?)?])
}

/// A derivative by the second of two inputs.
type Derivative = fn(&Nodes<'_>, Output, Output) -> Result<Output>;

#[gradient(Zeta)]
fn zeta(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_second(scope, op, dy, |n, x, q| {
        let next = n.add::<Add>([x, n.scalar(1.0)?])?;
        n.mul(n.add::<Neg>([x])?, n.add::<Zeta>([next, q])?)
    })
}

#[gradient(Polygamma)]
fn polygamma(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_second(scope, op, dy, |n, order, x| {
        let next = n.add::<Add>([order, n.scalar(1.0)?])?;
        n.add::<Polygamma>([next, x])
    })
}

/// By `x` alone: `x^(a-1) (1-x)^(b-1) / B(a, b)`, in logarithms, because the terms become large.
#[gradient(Betainc)]
fn betainc(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (a, b, x) = (op.input(0), op.input(1), op.input(2));
    let lgamma = |value| n.add::<Lgamma>([value]);
    let both = n.add::<Add>([lgamma(a)?, lgamma(b)?])?;
    let log_beta = n.sub(both, lgamma(n.add::<Add>([a, b])?)?)?;
    let above = n.add::<Xlog1py>([n.sub(b, n.scalar(1.0)?)?, n.add::<Neg>([x])?])?;
    let below = n.add::<Xlogy>([n.sub(a, n.scalar(1.0)?)?, x])?;
    let derivative = n.add::<Exp>([n.sub(n.add::<Add>([above, below])?, log_beta)?])?;
    Ok(vec![None, None, n.unbroadcast_one(x, n.mul(derivative, dy[0])?)?])
}
