//! Incomplete gamma functions, and samples of the gamma distribution.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, ConcatV2, Exp, Fill, Igamma, IgammaGradA, Igammac, Lgamma, Log, Mul, Neg, RandomGamma, RandomGammaGrad, Range,
    Rank, Size, StatelessRandomGammaV2, StatelessRandomGammaV3, Sub,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes, binary};

/// The gradients of `Igamma`; by `x` in logarithms, because the gamma function becomes large.
fn lower(n: &Nodes<'_>, [a, x]: [Output; 2], dy: Output) -> Result<[Output; 2]> {
    let by_a = n.mul(n.add::<IgammaGradA>([a, x])?, dy)?;
    let power = n.mul(n.sub(a, n.scalar(1.0)?)?, n.add::<Log>([x])?)?;
    let log = n.sub(n.add::<Add>([n.add::<Neg>([x])?, power])?, n.add::<Lgamma>([a])?)?;
    Ok([by_a, n.mul(n.add::<Exp>([log])?, dy)?])
}

#[gradient(Igamma)]
fn igamma(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| lower(n, inputs, dy))
}

#[gradient(Igammac)]
fn igammac(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| lower(n, inputs, n.add::<Neg>([dy])?))
}

/// The gradient by `alpha`, of which the samples have `leading` axes more: the sum over these.
fn by_alpha(n: &Nodes<'_>, alpha: Output, samples: Output, dy: Output, leading: Output) -> Result<Output> {
    let ones = n.add::<Fill>([n.reshape(leading, n.ints(&[1])?)?, n.int(1)?])?;
    let parts = vec![Arg::List(vec![ones, n.shape(alpha)?]), Arg::One(n.int(0)?)];
    let shape = n.call::<ConcatV2>(parts, Attrs::new())?[0];
    let derivative = n.add::<RandomGammaGrad>([n.reshape(alpha, shape)?, samples])?;
    let axes = n.add::<Range>([n.int(0)?, leading, n.int(1)?])?;
    n.sum(n.add::<Mul>([dy, derivative])?, axes)
}

/// The shape that is given stands before that of `alpha`.
#[gradient(RandomGamma)]
fn random_gamma(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let leading = n.add::<Size>([op.input(0)])?;
    Ok(vec![None, Some(by_alpha(&n, op.input(1), op.output(0), dy[0], leading)?)])
}

/// The shape that is given ends with that of `alpha`, which is the last input.
fn stateless(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], last: usize) -> Gradients {
    let n = Nodes::new(scope, op);
    let alpha = op.input(last);
    let leading = n.add::<Sub>([n.add::<Size>([op.input(0)])?, n.add::<Rank>([alpha])?])?;
    let mut gradients = vec![None; last];
    gradients.push(Some(by_alpha(&n, alpha, op.output(0), dy[0], leading)?));
    Ok(gradients)
}

#[gradient(StatelessRandomGammaV2)]
fn stateless_random_gamma_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    stateless(scope, op, dy, 2)
}

#[gradient(StatelessRandomGammaV3)]
fn stateless_random_gamma_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    stateless(scope, op, dy, 4)
}
